"""What runs in the background? `daedal tasks` lists it across all sessions, shows its output, or ends it."""

import argparse
import asyncio
import os
import sys
import time
from typing import Any

import msgspec
from msgspec import Struct

from daedal.cli.exit_codes import ExitCode
from daedal.cli.options import Options
from daedal.cli.parsing import Parser
from daedal.cli.printing import for_reader, one_line, table
from daedal.cli.streams import complain, put_json, tell
from daedal.config import tasks_path
from daedal.protocol.catalogue import say
from daedal.protocol.errors import UsageError
from daedal.sandbox import Entry, LeftBehind, Roll, is_running, left_behind, read_output, stop_command

OUTPUT_BYTES_MAX = 16_777_216
"""More than is ever kept of an output."""

COMMAND_SHOWN = 70
SESSION_SHOWN = 13


class Row(Struct, frozen=True, kw_only=True):
    """A task as `--json` shows it."""

    id: str
    state: str
    """`running`, `left` (its owner is gone), `exited` (children of it may run on) or `ended`."""
    session: str
    since: float | None
    owner: int | None
    detached: bool
    command: str
    output: str
    exit_code: int | None
    ending: str
    ended: float | None


def parser() -> argparse.ArgumentParser:
    parser = Parser("tasks")
    parser.add_argument(
        "action", nargs="?", choices=["list", "output", "stop"], default="list", help=say("cli.tasks.action")
    )
    parser.add_argument("id", nargs="?", help=say("cli.tasks.id"))
    parser.add_argument("--json", action="store_true", help=say("cli.flag.json"))
    return parser


def run(options: Options) -> int:
    if (options.action == "list") == (options.id is not None):
        raise UsageError(say("cli.tasks.id_with_action"))
    folder = tasks_path()
    if options.action == "list":
        return _list(folder, as_json=options.json)
    found = _find(folder, options.id)
    if options.action == "output":
        return _show(found)
    return asyncio.run(_stop(folder, found))


def _tasks(folder: str) -> list[Entry | LeftBehind]:
    """Oldest first; what is only a trace of something that is over was cleared away before."""
    left = {task.id: task for task in left_behind(folder)}
    roll = Roll(folder)
    roll.prune()
    noted = roll.entries()
    unnoted = [task for identity, task in left.items() if identity not in {entry.id for entry in noted}]
    return [*noted, *unnoted]


def _find(folder: str, beginning: str) -> Entry | LeftBehind:
    found = [task for task in _tasks(folder) if beginning and task.id.startswith(beginning)]
    exact = [task for task in found if task.id == beginning]
    if len(exact or found) != 1:
        word = "cli.tasks.several" if found else "cli.tasks.unknown"
        raise UsageError(say(word, id=one_line(beginning, 60), ids=", ".join(task.id for task in found)))
    return (exact or found)[0]


def _list(folder: str, *, as_json: bool) -> int:
    rows = [_row(task) for task in _tasks(folder)]
    if as_json:
        put_json(msgspec.json.encode(rows))
    elif not rows:
        print(say("cli.tasks.none"))
    else:
        print(table(say("cli.tasks.headings").split("|"), [_cells(row) for row in rows]))
    return ExitCode.DONE


def _row(task: Entry | LeftBehind) -> Row:
    if isinstance(task, LeftBehind):
        details: dict[str, Any] = {"owner": None, "detached": False, "output": "", "exit_code": None, "ending": ""}
        return Row(id=task.id, state="left", session="", since=None, command=task.command, ended=None, **details)
    return Row(
        id=task.id,
        state=_state(task),
        session=task.session,
        since=task.since,
        owner=task.owner.pid if task.owner.is_alive() else None,
        detached=task.detached,
        command=task.command,
        output=task.output,
        exit_code=task.exit_code,
        ending=task.ending,
        ended=task.ended,
    )


def _state(entry: Entry) -> str:
    if entry.ended is not None:
        return "ended"
    if entry.exit_code is not None:
        return "exited"
    return "running" if entry.owner.is_alive() else "left"


def _cells(row: Row) -> list[str]:
    how = row.ending or ("" if row.exit_code is None else say("cli.tasks.exit_code", code=row.exit_code))
    state = say(f"cli.tasks.state_{row.state}")
    return [
        row.id,
        f"{state} ({one_line(how, 60)})" if how else state,
        say("cli.tasks.kept" if row.detached else "cli.tasks.not_kept"),
        one_line(row.session, SESSION_SHOWN) or "-",
        "-" if row.since is None else time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(row.since)),
        "-" if row.owner is None else str(row.owner),
        one_line(row.command, COMMAND_SHOWN),
    ]


def _show(task: Entry | LeftBehind) -> int:
    if isinstance(task, LeftBehind):
        complain(say("cli.tasks.no_output", id=task.id))
        return ExitCode.FAILED
    try:
        excerpt = read_output(task.output, 0, OUTPUT_BYTES_MAX)
    except OSError as error:
        complain(say("cli.tasks.unreadable", id=task.id, path=task.output, error=error.strerror))
        return ExitCode.FAILED
    if excerpt.skipped:
        tell(say("cli.tasks.dropped", count=excerpt.skipped))
    sys.stdout.flush()
    if os.isatty(1):
        sys.stdout.write(for_reader(excerpt.data.decode("utf-8", "replace")))
    else:
        sys.stdout.buffer.write(excerpt.data)
    return ExitCode.DONE


async def _stop(folder: str, task: Entry | LeftBehind) -> int:
    if isinstance(task, Entry) and not is_running(task):
        print(say("cli.tasks.over", id=task.id))
        return ExitCode.DONE
    if not await stop_command(folder, task):
        complain(say("cli.tasks.elsewhere", id=task.id))
        return ExitCode.FAILED
    print(say("cli.tasks.stopped", id=task.id, command=one_line(task.command, COMMAND_SHOWN)))
    return ExitCode.DONE
