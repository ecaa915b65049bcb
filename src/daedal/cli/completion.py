"""How does a shell complete our commands? `daedal completion bash|zsh|fish` prints the script to load."""

import argparse

from daedal.cli.exit_codes import ExitCode
from daedal.cli.options import Options
from daedal.cli.parsing import Parser
from daedal.protocol.catalogue import LANGUAGES, say

SHELLS = ("bash", "zsh", "fish")
PLACES = {
    "FILE": {"bash": "_shtab_compgen_files", "zsh": "_files"},
    "DIR": {"bash": "_shtab_compgen_dirs", "zsh": "_files -/"},
}
"""What a shell offers for arguments of these names; fish offers files by itself."""


def parser() -> argparse.ArgumentParser:
    parser = Parser("completion")
    parser.add_argument("shell", choices=SHELLS, help=say("cli.completion.shell"))
    return parser


def run(options: Options) -> int:
    import shtab

    print(shtab.complete(whole_parser(), shell=options.shell))
    return ExitCode.DONE


def whole_parser() -> argparse.ArgumentParser:
    """All commands in one parser; only completion needs it, so only completion pays for loading them."""
    from importlib import import_module

    from daedal.cli.main import COMMANDS

    whole = argparse.ArgumentParser(prog="daedal")
    whole.add_argument("--lang", choices=LANGUAGES)
    commands = whole.add_subparsers()
    for name, module in COMMANDS.items():
        single = import_module(f"daedal.cli.{module}").parser()
        for action in single._actions:
            if action.metavar in PLACES:
                action.complete = PLACES[action.metavar]  # type: ignore[attr-defined]
        commands.add_parser(name, parents=[single], add_help=False, help=say(f"cli.{module}.about"))
    return whole
