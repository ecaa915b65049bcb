"""How does a command describe itself? A parser whose help starts with an example and whose errors say what next."""

import argparse
import os
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from daedal.cli.exit_codes import ExitCode
from daedal.cli.options import PERMISSIONS, PROJECT_FOLDER, Option
from daedal.cli.streams import tell
from daedal.protocol.catalogue import say, spoken

if spoken() != "en":
    from daedal.cli.argparse_words import translate

    translate()


class Formatter(argparse.RawDescriptionHelpFormatter):
    def __init__(self, prog: str) -> None:
        """With a width of its own: argparse would load `shutil` to ask the terminal, for every parser it makes."""
        columns = os.environ.get("COLUMNS", "")
        super().__init__(prog, width=min(int(columns) if columns.isdecimal() and int(columns) else 100, 120))

    def _split_lines(self, text: str, width: int) -> list[str]:
        """argparse takes every letter for one column, and breaks only at spaces."""
        if text.isascii():
            return super()._split_lines(text, width)
        from daedal.cli.wrapping import wrapped

        return wrapped(" ".join(text.split()), width)

    def _format_usage(self, usage: str | None, actions: Any, groups: Any, prefix: str | None) -> str:
        """With a stand-in of as many columns while argparse counts the letters."""
        if prefix is not None or spoken() == "en":
            return super()._format_usage(usage, actions, groups, prefix)
        from daedal.protocol.widths import width

        said = say("cli.argparse.usage")
        standing_in = " " * width(said)
        return said + super()._format_usage(usage, actions, groups, standing_in)[len(standing_in) :]


class Part(argparse.ArgumentParser):
    """One action's options, which look and complain as the whole command does."""

    def __init__(self, **details: Any) -> None:
        super().__init__(formatter_class=Formatter, **details)

    def error(self, message: str) -> NoReturn:
        tell(say("cli.usage_error", message=message, prog=self.prog))
        raise SystemExit(ExitCode.USAGE)


class Parser(Part):
    def __init__(self, command: str, *, flag: str = "") -> None:
        """`command` names the sentences in the catalogue: `cli.<command>.example` and `cli.<command>.about`.

        `flag` is how it is called, where that is not by its name.
        """
        super().__init__(
            prog=f"daedal {flag or command}",
            description=say(f"cli.{command}.about"),
            allow_abbrev=False,
        )
        self._example = say(f"cli.{command}.example")

    def format_help(self) -> str:
        return f"{self._example}\n\n{super().format_help()}"


def add_options(parser: argparse.ArgumentParser, options: Sequence[Option]) -> None:
    for option in options:
        details: dict[str, Any] = {"help": say(option.help)}
        if option.takes == "nothing":
            details["action"] = "store_true"
        else:
            details |= {"metavar": option.metavar, "choices": option.choices, "default": option.default}
            details |= {"type": typed(option.convert)} if option.convert else {}
        if option.takes == "maybe":
            details |= {"nargs": "?", "const": ""}
        elif option.takes == "each":
            details |= {"action": "append", "default": []}
        if option.flags:
            parser.add_argument(*option.flags, dest=option.name, **details)
        else:
            parser.add_argument(option.name, nargs="?", **details)


def typed(convert: Callable[[str], Any]) -> Callable[[str], Any]:
    """For argparse, which shows the sentence of no other error."""

    def converted(text: str) -> Any:
        try:
            return convert(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from error

    return converted


def add_project_folder(parser: argparse.ArgumentParser) -> None:
    add_options(parser, [PROJECT_FOLDER])


def add_permissions(parser: argparse.ArgumentParser) -> None:
    add_options(parser, PERMISSIONS)
