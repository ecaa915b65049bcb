"""How does a command describe itself? A parser whose help starts with an example and whose errors say what next."""

import argparse
import os
from typing import NoReturn

from daedal.cli.exit_codes import ExitCode
from daedal.cli.streams import tell
from daedal.protocol.catalogue import say


def formatter(prog: str) -> argparse.HelpFormatter:
    """With a width of its own: argparse would load `shutil` to ask the terminal, for every parser it makes."""
    return argparse.RawDescriptionHelpFormatter(prog, width=min(int(os.environ.get("COLUMNS") or 100), 120))


class Parser(argparse.ArgumentParser):
    def __init__(self, command: str, *, flag: str = "") -> None:
        """`command` names the sentences in the catalogue: `cli.<command>.example` and `cli.<command>.about`.

        `flag` is how it is called, where that is not by its name.
        """
        super().__init__(
            prog=f"daedal {flag or command}",
            description=say(f"cli.{command}.about"),
            formatter_class=formatter,
            allow_abbrev=False,
        )
        self._example = say(f"cli.{command}.example")

    def format_help(self) -> str:
        return f"{self._example}\n\n{super().format_help()}"

    def error(self, message: str) -> NoReturn:
        tell(say("cli.usage_error", message=message, prog=self.prog))
        raise SystemExit(ExitCode.USAGE)


def whole_number(text: str) -> int:
    """An argument's type: 1 or more."""
    try:
        number = int(text)
    except ValueError:
        number = 0
    if number < 1:
        raise argparse.ArgumentTypeError(say("cli.not_whole_number", text=text))
    return number


def amount(text: str) -> float:
    """An argument's type: more than nothing, and not without end."""
    try:
        number = float(text)
    except ValueError:
        number = 0
    if not 0 < number < float("inf"):
        raise argparse.ArgumentTypeError(say("cli.not_an_amount", text=text))
    return number


def add_project_folder(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-C", "--cd", metavar="DIR", default=None, help=say("cli.flag.cd"))


def add_approval(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--approval", choices=["ask", "auto", "yolo", "never"], default=None, help=say("cli.flag.approval")
    )
    parser.add_argument("--no-sandbox", action="store_true", help=say("cli.flag.no_sandbox"))
