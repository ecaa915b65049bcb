"""How does a shell complete our commands? `daedal completion bash|zsh|fish` prints the script to load."""

import argparse

from daedal.cli.exit_codes import ExitCode
from daedal.cli.parsing import Parser
from daedal.protocol.catalogue import say

SHELLS = ("bash", "zsh", "fish")


def parser() -> argparse.ArgumentParser:
    parser = Parser("completion")
    parser.add_argument("shell", choices=SHELLS, help=say("cli.completion.shell"))
    return parser


def run(options: argparse.Namespace) -> int:
    import shtab

    print(shtab.complete(whole_parser(), shell=options.shell))
    return ExitCode.DONE


def whole_parser() -> argparse.ArgumentParser:
    """All commands in one parser; only completion needs it, so only completion pays for loading them."""
    from importlib import import_module

    from daedal.cli.main import COMMANDS

    whole = argparse.ArgumentParser(prog="daedal")
    commands = whole.add_subparsers()
    for name, module in COMMANDS.items():
        single = import_module(f"daedal.cli.{module}").parser()
        commands.add_parser(name, parents=[single], add_help=False, help=say(f"cli.{name}.about"))
    return whole
