"""How does one go on with an earlier session? `daedal resume`: the chat, in the one that is named or picked."""

from typing import TYPE_CHECKING

from daedal.cli.chat import OPTIONS as CHAT_OPTIONS
from daedal.cli.chat import run as chat
from daedal.cli.exit_codes import ExitCode
from daedal.cli.options import Option, Options

if TYPE_CHECKING:
    import argparse

OPTIONS = (
    Option(name="session", help="cli.resume.session"),
    *(option for option in CHAT_OPTIONS if option.name not in ("go_on", "resume")),
)


def parser() -> "argparse.ArgumentParser":
    from daedal.cli.parsing import Parser, add_options

    parser = Parser("resume")
    add_options(parser, OPTIONS)
    return parser


def run(options: Options) -> int:
    from daedal.tui import is_terminal

    if options.session is None and not is_terminal():
        return _list()
    options.resume = options.session
    options.go_on = False
    options.pick = options.session is None
    return chat(options)


def _list() -> int:
    """Where nobody can pick: which ones there are, and how one is named."""
    from daedal.cli import sessions
    from daedal.cli.streams import tell
    from daedal.protocol.catalogue import say

    options = sessions.parser().parse_args(["--here"], Options())
    options.is_for_resuming = True
    code = sessions.run(options)
    if code == ExitCode.DONE:
        tell(say("cli.resume.how"))
    return code
