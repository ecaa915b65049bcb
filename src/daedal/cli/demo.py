"""What does Daedal do, shown in seconds? The main job on a small project, with recorded replies and all else real."""

import argparse
import asyncio
import os
import sys

from daedal.cli.demo_view import DemoView
from daedal.cli.exec import parser as exec_parser
from daedal.cli.exit_codes import ExitCode
from daedal.cli.headless import Run
from daedal.cli.options import Options
from daedal.cli.parsing import Parser
from daedal.cli.printing import visible
from daedal.cli.signals import Signals
from daedal.protocol.catalogue import say
from daedal.protocol.errors import UsageError
from daedal.protocol.items import UserInput
from daedal.protocol.seams import Finish, Job
from daedal.sandbox import ProcessSpawner, find_program

FILES = os.path.join(os.path.dirname(__file__), "demo_files")
GIT = ["git", "-c", "user.name=Daedal demo", "-c", "user.email=demo@localhost", "-c", "commit.gpgsign=false"]
TESTS = ["python3", "-m", "unittest", "-v"]
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
        print(say("cli.demo.intro", folder=folder))
        await _make_project(spawner, folder)
        before = await _run(spawner, TESTS, folder)
        print(say("cli.demo.before", verdict=_last_line(before)))
        view = DemoView()
        words = [
            say("cli.demo.prompt"),
            "--replay",
            os.path.join(FILES, "replies.jsonl"),
            "--approval",
            "yolo",
            "-C",
            folder,
        ]
        code = await Run(
            exec_parser().parse_args(words, Options()), [UserInput(say("cli.demo.prompt"))], None, view, signals
        ).drive()
        signals.ask(task.cancel)
        if code != ExitCode.DONE:
            return code
        after = await _run(spawner, TESTS, folder)
        print(say("cli.demo.after", verdict=_last_line(after)))
        print(view.table())
        diff = await _run(spawner, ["git", "--no-pager", "diff", "--no-color"], folder)
        print(say("cli.demo.diff", diff=visible(diff.stdout.decode(errors="replace")).rstrip()))
        print(say("cli.demo.further", id=view.session_id, folder=folder, daedal=_program()))
        return ExitCode.DONE if after.exit_code == 0 else ExitCode.FAILED
    finally:
        await spawner.close()


def _project_folder(keep: str | None) -> str:
    if keep is None:
        from tempfile import mkdtemp

        return os.path.realpath(mkdtemp(prefix="daedal-demo-"))
    if os.path.exists(keep) and (not os.path.isdir(keep) or os.listdir(keep)):
        raise UsageError(say("cli.demo.not_empty", folder=keep))
    os.makedirs(keep, exist_ok=True)
    return os.path.realpath(keep)


async def _make_project(spawner: ProcessSpawner, folder: str) -> None:
    for name in ("shop.py", "test_shop.py"):
        with open(os.path.join(FILES, "project", name), encoding="utf-8") as source:
            text = source.read()
        with open(os.path.join(folder, name), "w", encoding="utf-8") as copy:
            copy.write(text)
    for words in (["init", "--quiet"], ["add", "."], ["commit", "--quiet", "-m", "A shop with a bug"]):
        done = await _run(spawner, [*GIT, *words], folder)
        if done.exit_code:
            raise UsageError(say("cli.demo.git_failed", error=done.stderr.decode(errors="replace").strip()))


async def _run(spawner: ProcessSpawner, argv: list[str], folder: str) -> Finish:
    # Byte code would show up in the project's diff and in its status.
    environment = spawner.environment({"PYTHONDONTWRITEBYTECODE": "1"})
    return await spawner.run(Job(argv=argv, cwd=folder, env=environment, timeout_s=DEADLINE_S))


def _last_line(done: Finish) -> str:
    lines = done.stderr.decode(errors="replace").split("\n")
    return visible(next((line for line in reversed(lines) if line.strip()), ""))


def _program() -> str:
    """How to call us from here: by name, unless that would not be found and we were called by a path."""
    called = sys.argv[0]
    return called if os.path.basename(called) == "daedal" and not find_program("daedal") else "daedal"
