"""What does Daedal do, shown in seconds? A small specification is delivered, by recorded replies and all else real."""

import argparse
import asyncio
import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from daedal.cli.bookends import close
from daedal.cli.delivering import CODES, drive
from daedal.cli.delivery_engine import opener
from daedal.cli.demo_view import DemoConsole
from daedal.cli.exit_codes import ExitCode
from daedal.cli.options import Options
from daedal.cli.parsing import Parser
from daedal.cli.printing import visible
from daedal.cli.signals import Signals
from daedal.delivery import RUN, UNCONFINED_ALLOW, Plan, Terms
from daedal.protocol.catalogue import say
from daedal.protocol.errors import UsageError
from daedal.protocol.seams import Finish, Job
from daedal.sandbox import ProcessSpawner, find_program

if TYPE_CHECKING:
    from daedal.app import HouseOptions

FILES = os.path.join(os.path.dirname(__file__), "demo_files")
GIT = (
    ["init", "--quiet"],
    ["config", "user.name", "Daedal demo"],
    ["config", "user.email", "demo@localhost"],
    ["config", "commit.gpgsign", "false"],
    ["add", "."],
    ["commit", "--quiet", "-m", "A specification"],
)
TESTS = ["python3", "-m", "unittest"]
EXAMPLE = ["python3", "roman.py", "2026"]
DEADLINE_S = 60


def parser() -> argparse.ArgumentParser:
    parser = Parser("demo")
    parser.add_argument("--keep", metavar="DIR", help=say("cli.demo.keep"))
    return parser


def run(options: Options) -> int:
    try:
        return asyncio.run(_show(options.keep))
    except asyncio.CancelledError:
        return ExitCode.INTERRUPTED


async def _show(keep: str | None) -> int:
    spawner, signals, task = ProcessSpawner(()), Signals(), asyncio.current_task()
    assert task is not None
    signals.ask(task.cancel)
    try:
        folder = _project_folder(keep)
        await _make_project(spawner, folder)
        console = DemoConsole()
        console.log(say("cli.demo.intro", folder=folder))
        console.quote(_read("SPEC.md"))
        plan = Plan(
            workflow=RUN,
            # Recorded replies can be let run also on a machine where nothing can be confined.
            terms=Terms(project=folder, command=RUN.command, allow=UNCONFINED_ALLOW),
            pause_s=0.0,
        )
        result = await drive(
            plan, opener(_recorded(folder), console), opener(_hands(folder), console), console, signals
        )
        signals.ask(task.cancel)
        close(console, plan, result)
        if not result.success:
            return CODES[result.reason]
        return await _use(spawner, folder, console)
    finally:
        await spawner.close()


def _recorded(folder: str) -> "Callable[[], HouseOptions]":
    """For each session its own replies."""
    sessions = iter(sorted(name for name in os.listdir(FILES) if name.startswith("session-")))

    def house() -> "HouseOptions":
        from daedal.app import HouseOptions

        return HouseOptions(cwd=folder, replay=os.path.join(FILES, next(sessions)))

    return house


def _hands(folder: str) -> "Callable[[], HouseOptions]":
    def house() -> "HouseOptions":
        from daedal.app import HouseOptions

        return HouseOptions(cwd=folder)

    return house


async def _use(spawner: ProcessSpawner, folder: str, console: DemoConsole) -> int:
    """What came of it, as whoever ordered it would look at it."""
    console.log("")
    tests = await _run(spawner, TESTS, folder)
    verdict = next((line for line in reversed(tests.stderr.decode(errors="replace").split("\n")) if line.strip()), "")
    shown = await _run(spawner, EXAMPLE, folder)
    console.log(say("cli.demo.ran", command=" ".join(TESTS), output=verdict))
    console.log(say("cli.demo.ran", command=" ".join(EXAMPLE), output=shown.stdout.decode(errors="replace").strip()))
    console.log(say("cli.demo.further", folder=folder, daedal=_program()))
    return ExitCode.DONE if tests.exit_code == shown.exit_code == 0 else ExitCode.FAILED


def _project_folder(keep: str | None) -> str:
    if keep is None:
        from tempfile import mkdtemp

        return os.path.realpath(mkdtemp(prefix="daedal-demo-"))
    if os.path.exists(keep) and (not os.path.isdir(keep) or os.listdir(keep)):
        raise UsageError(say("cli.demo.not_empty", folder=keep))
    os.makedirs(keep, exist_ok=True)
    return os.path.realpath(keep)


async def _make_project(spawner: ProcessSpawner, folder: str) -> None:
    with open(os.path.join(folder, "SPEC.md"), "w", encoding="utf-8") as copy:
        copy.write(_read("SPEC.md"))
    for words in GIT:
        done = await _run(spawner, ["git", *words], folder)
        if done.exit_code:
            raise UsageError(say("cli.demo.git_failed", error=visible(done.stderr.decode(errors="replace").strip())))


def _read(name: str) -> str:
    with open(os.path.join(FILES, name), encoding="utf-8") as file:
        return file.read()


async def _run(spawner: ProcessSpawner, argv: list[str], folder: str) -> Finish:
    return await spawner.run(Job(argv=argv, cwd=folder, env=spawner.environment({}), timeout_s=DEADLINE_S))


def _program() -> str:
    """How to call us from here: by name, unless that would not be found and we were called by a path."""
    called = sys.argv[0]
    return called if os.path.basename(called) == "daedal" and not find_program("daedal") else "daedal"
