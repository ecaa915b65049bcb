"""Which command is meant? Only that command's file is loaded, so that none pays for the others."""

import os
import sys
from importlib import import_module

from daedal.cli.exit_codes import ExitCode, of_kind
from daedal.protocol.catalogue import say
from daedal.protocol.errors import DaedalError

COMMANDS = {
    "exec": "exec",
    "demo": "demo",
    "sessions": "sessions",
    "export": "export",
    "config": "config",
    "setup": "setup",
    "doctor": "doctor",
    "completion": "completion",
}
"""Command → its file in this room."""

PRINT_FLAGS = ("-p", "--print")


def main(argv: list[str] | None = None) -> int:
    """The `daedal` command."""
    words = sys.argv[1:] if argv is None else argv
    try:
        return _route(words)
    except DaedalError as trouble:
        sys.stderr.write(say("cli.error", message=trouble) + "\n")
        return of_kind(trouble.kind)
    except KeyboardInterrupt:
        return ExitCode.INTERRUPTED
    except BrokenPipeError:
        # Whoever read our output has left; Python would complain once more while flushing at exit.
        sys.stdout = None
        return ExitCode.FAILED
    except Exception as bug:  # the top of the process: a bug is told in a sentence, and in full to whoever asks
        return _own_up(bug)


def _route(words: list[str]) -> int:
    first = words[0] if words else ""
    if first in COMMANDS:
        return _run(first, words[1:])
    if not words or first in ("-h", "--help", "help"):
        print(overview())
        return ExitCode.DONE
    if first in ("-V", "--version"):
        from daedal import __version__

        print(f"daedal {__version__}")
        return ExitCode.DONE
    if any(word == "--eval" or word.startswith("--eval=") for word in words):
        return _run("eval", words)
    if any(word in PRINT_FLAGS for word in words):
        return _run("exec", words)
    return _unknown(first)


def _own_up(bug: Exception) -> int:
    sys.stderr.write(say("cli.bug", kind=type(bug).__name__, message=bug) + "\n")
    if os.environ.get("DAEDAL_DEBUG"):
        raise bug
    return ExitCode.FAILED


def _run(command: str, words: list[str]) -> int:
    module = import_module(f"daedal.cli.{COMMANDS.get(command, command)}")
    return module.run(module.parser().parse_args(words))


def _unknown(word: str) -> int:
    from difflib import get_close_matches

    if word.startswith("-"):
        message = say("cli.unknown_flag", word=word)
    elif near := get_close_matches(word, COMMANDS, n=1):
        message = say("cli.unknown_command_near", word=word, near=near[0])
    else:
        message = say("cli.unknown_command", word=word)
    sys.stderr.write(say("cli.error", message=message) + "\n")
    return ExitCode.USAGE


def overview() -> str:
    """What `daedal --help` shows: an example, the commands, the exit codes."""
    width = max(map(len, COMMANDS)) + 2
    commands = "\n".join(f"  {name:<{width}}{say(f'cli.{name}.about')}" for name in COMMANDS)
    return say("cli.overview", commands=commands)
