"""What does `daedal` do on a terminal? It opens the chat: first the screen and the keys, then everything else."""

from typing import TYPE_CHECKING

from daedal.cli.exit_codes import ExitCode
from daedal.cli.options import ENGINE, PERMISSIONS, PROJECT_FOLDER, Option, Options
from daedal.cli.streams import complain, warn_of_dangers
from daedal.protocol.catalogue import say

if TYPE_CHECKING:
    import argparse

    from daedal.cli.signals import Signals
    from daedal.tui import Opening, Wanted

OPTIONS = (
    Option(name="prompt", help="cli.chat.prompt"),
    Option(name="go_on", flags=("-c", "--continue"), takes="nothing", help="cli.exec.continue"),
    Option(name="resume", flags=("-r", "--resume"), metavar="ID", help="cli.chat.resume"),
    Option(name="fork", flags=("--fork",), takes="nothing", help="cli.chat.fork"),
    Option(name="model", flags=("--model",), metavar="MODEL", help="cli.exec.model"),
    Option(name="provider", flags=("--provider",), metavar="NAME", help="cli.exec.provider"),
    ENGINE,
    Option(name="connect", flags=("--connect",), metavar="ADDRESS", help="cli.chat.connect"),
    Option(name="token_file", flags=("--token-file",), metavar="FILE", help="cli.chat.token_file"),
    Option(name="replay", flags=("--replay",), metavar="FILE", help="cli.exec.replay"),
    Option(name="record", flags=("--record",), metavar="FILE", help="cli.exec.record"),
    *PERMISSIONS,
    PROJECT_FOLDER,
)
FLAGS = frozenset(flag for option in OPTIONS for flag in option.flags)


def parser() -> "argparse.ArgumentParser":
    from daedal.cli.parsing import Parser, add_options

    parser = Parser("chat", flag="")
    add_options(parser, OPTIONS)
    return parser


def run(options: Options) -> int:
    from daedal.tui import Opening, is_capable, is_terminal

    if options.go_on and options.resume:
        complain(say("cli.exec.continue_or_resume"))
        return ExitCode.USAGE
    if not is_terminal():
        complain(say("cli.chat.no_terminal"))
        return ExitCode.USAGE
    warn_of_dangers(flag=options.no_sandbox, destructive=options.allow_destructive)
    if not is_capable():
        return _run_plainly(options)
    return _run_on(options, Opening())


def _run_on(options: Options, opening: "Opening") -> int:
    """The screen is there; now the rest is loaded."""
    try:
        import asyncio

        from daedal.cli.signals import Signals

        signals = Signals()  # before the loop, which else would be described at length in its own handler
        return asyncio.run(_chat(options, opening, signals))
    finally:
        opening.terminal.leave()


async def _chat(options: Options, opening: "Opening", signals: "Signals") -> int:
    from daedal.cli.chat_surroundings import Surroundings
    from daedal.config import home
    from daedal.tui import Chat

    wanted = _wanted(options)
    chat = Chat(opening, Surroundings(options, signals), home=home(), wanted=wanted, prompt=options.prompt or "")
    signals.ask(chat.stop)
    await chat.run()
    if chat.failure:
        complain(chat.failure)
        return ExitCode.FAILED
    return ExitCode.DONE


def _wanted(options: Options) -> "Wanted":
    """A copy of nothing in particular is one of the newest."""
    from daedal.tui import Wanted

    is_picked = getattr(options, "pick", False)
    return Wanted(
        thread=options.resume or "",
        is_latest=options.go_on or (options.fork and not options.resume and not is_picked),
        is_picked=is_picked,
        is_fork=options.fork,
    )


def _run_plainly(options: Options) -> int:
    import asyncio

    from daedal.cli.chat_surroundings import Surroundings
    from daedal.tui import PlainChat

    failure = asyncio.run(PlainChat(Surroundings(options), wanted=_wanted(options), prompt=options.prompt or "").run())
    if failure:
        complain(failure)
        return ExitCode.FAILED
    return ExitCode.DONE
