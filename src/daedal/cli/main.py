"""Which command is meant? Only that command's file is loaded, so that none pays for the others."""

import gc
import os
import sys
from importlib import import_module

from daedal.cli.bundle import Bundle, install
from daedal.cli.postponing import postpone

COMMANDS = {
    "resume": "resume",
    "exec": "exec",
    "run": "run",
    "sync": "sync",
    "status": "status",
    "receipts": "receipts",
    "demo": "demo",
    "acp": "acp",
    "sessions": "sessions",
    "export": "export",
    "tasks": "tasks",
    "config": "config",
    "setup": "setup",
    "auth": "auth",
    "doctor": "doctor",
    "trust": "trust",
    "phase": "phase",
    "plan": "plan",
    "policy": "policy",
    "hooks": "hooks",
    "permissions": "permissions",
    "memory": "memory",
    "sandbox": "sandbox",
    "app-server": "app_server",
    "mcp": "mcp",
    "tools": "tools",
    "commands": "commands",
    "skills": "skills",
    "agents": "agents",
    "completion": "completion",
}
"""Command → its file in this room."""


STANDARD = (0, 1, 2)
OUTPUT = 1
SEVERAL_ARGUMENTS = ("agents", "config", "hooks", "permissions", "sessions", "skills", "tasks")


def main(argv: list[str] | None = None) -> int:
    """The `daedal` command."""
    words = sys.argv[1:] if argv is None else argv
    closed = _fill_gaps()
    bundle = _hurry()
    from daedal.cli.streams import prepare

    prepare()
    try:
        words = _settled(words)
        # Without a word it is the chat that is wanted, or its help: neither can be had without an output.
        code = _run("chat", words) if not words and OUTPUT in closed else _route(words)
        # Here, because at exit Python could only grumble.
        sys.stdout.flush()
        bundle.keep_up()
        return code
    except KeyboardInterrupt:
        return 130
    except Exception as trouble:  # the top of the process: everything else becomes a sentence and an exit code
        return _explain(trouble)


def _fill_gaps() -> list[int]:
    """Standard streams that whoever started us has closed: the next file to be opened would become one of them."""
    closed: list[int] = []
    for number in STANDARD:
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
            closed.append(number)
    return closed


def _hurry() -> Bundle:
    """Four things that shorten the time to the first request; docs/decisions/0007 has their figures."""
    # While modules load there is no garbage, only objects that stay.
    gc.disable()
    bundle = install()
    postpone()
    # msgspec prefers typing_extensions to typing where a neighbour happens to have installed it.
    if "msgspec" not in sys.modules:
        sys.modules["typing_extensions"] = None  # type: ignore[assignment]
        import_module("msgspec")
        del sys.modules["typing_extensions"]
    return bundle


def _settled(words: list[str]) -> list[str]:
    from daedal.cli.language import settle

    return settle(words)


def _explain(trouble: Exception) -> int:
    from daedal.cli.exit_codes import ExitCode, of_kind
    from daedal.cli.streams import complain, give_up, is_about_output, tell
    from daedal.protocol.catalogue import say
    from daedal.protocol.errors import DaedalError

    if isinstance(trouble, DaedalError):
        complain(trouble)
        return of_kind(trouble.kind)
    if isinstance(trouble, OSError) and is_about_output(trouble):
        return give_up(trouble)
    tell(say("cli.bug", kind=type(trouble).__name__, message=trouble))
    if os.environ.get("DAEDAL_DEBUG"):
        raise trouble
    return ExitCode.FAILED


def _route(words: list[str]) -> int:
    first = words[0] if words else ""
    if first in COMMANDS:
        return _run(first, words[1:])
    if not words and os.isatty(0) and os.isatty(1):
        return _run("chat", words)
    if not words or first in ("-h", "--help", "help"):
        print(overview())
        return 0
    if first in ("-V", "--version"):
        from daedal import __version__

        print(f"daedal {__version__}")
        return 0
    for flag in ("eval", "transition"):
        if any(word.partition("=")[0] == f"--{flag}" for word in words):
            return _run(flag, words)
    if any(_is_print_flag(word) for word in words):
        return _run("exec", words)
    if _opens_chat(first):
        return _run("chat", words)
    return _unknown(first)


def _is_print_flag(word: str) -> bool:
    """`-p X`, `-pX`, `--print X` and `--print=X`."""
    return word.startswith("-p") or word.partition("=")[0] == "--print"


def _opens_chat(first: str) -> bool:
    """A prompt has more than one word; a single one is more probably a command that was mistyped."""
    if first.startswith("-"):
        from daedal.cli.chat import FLAGS

        return first.partition("=")[0] in FLAGS
    return len(first.split()) > 1


def _run(command: str, words: list[str]) -> int:
    from daedal.cli.options import Options, read_plainly

    module = import_module(f"daedal.cli.{COMMANDS.get(command, command)}")
    described = getattr(module, "OPTIONS", None)
    options = read_plainly(described, words) if described else None
    if options is None:
        parser = module.parser()
        # Options between arguments cost argparse a second pass; only some commands have two arguments.
        parse = parser.parse_intermixed_args if command in SEVERAL_ARGUMENTS else parser.parse_args
        options = parse(words, Options())
    try:
        os.getcwd()
    except FileNotFoundError as error:
        from daedal.protocol.catalogue import say
        from daedal.protocol.errors import UsageError

        raise UsageError(say("cli.no_current_folder")) from error
    return module.run(options)


def _unknown(word: str) -> int:
    from difflib import get_close_matches

    from daedal.cli.exit_codes import ExitCode
    from daedal.cli.streams import complain
    from daedal.protocol.catalogue import say

    if word.startswith("-"):
        message = say("cli.unknown_flag", word=word)
    elif near := get_close_matches(word, COMMANDS, n=1):
        message = say("cli.unknown_command_near", word=word, near=near[0])
    else:
        message = say("cli.unknown_command", word=word)
    complain(message)
    return ExitCode.USAGE


def overview() -> str:
    """What `daedal --help` shows: an example, the commands, the exit codes."""
    from daedal.protocol.catalogue import say

    width = max(map(len, COMMANDS)) + 2
    commands = "\n".join(f"  {name:<{width}}{say(f'cli.{COMMANDS[name]}.about')}" for name in COMMANDS)
    return say("cli.overview", commands=commands)
