"""What do the ledger's tests put on the record? Small records, a ledger to put them in, and other processes."""

import asyncio
import os
import sqlite3
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from daedal.ledger import Ledger
from daedal.protocol.records import (
    Entry,
    EntryType,
    Happened,
    ModelCalled,
    ReceiptIssued,
    Record,
    SessionOpened,
    TurnClosed,
    TurnOpened,
    TurnStatus,
    VerdictGiven,
)


def opened(session: str, *, project: str = "/project", conversation: str | None = None) -> SessionOpened:
    return SessionOpened(
        session_id=session,
        conversation_id=conversation or f"c-{session}",
        project_dir=project,
        provider="script",
        model_id="small",
    )


def prompt(text: str, turn: str = "t1") -> Entry:
    payload = {"uuid": "u", "content": [{"type": "text", "text": text}]}
    return Entry(entry_type=EntryType.USER, payload=payload, turn_id=turn)


def answer(text: str, turn: str = "t1") -> Entry:
    payload = {"uuid": "u", "content": [{"type": "text", "text": text}]}
    return Entry(entry_type=EntryType.ASSISTANT, payload=payload, turn_id=turn)


def use(call: str, turn: str = "t1", **arguments: Any) -> Entry:
    payload = {"id": call, "name": "Read", "input": arguments}
    return Entry(entry_type=EntryType.TOOL_USE, payload=payload, turn_id=turn)


def result(call: str, content: str, turn: str = "t1", *, is_error: bool = False) -> Entry:
    payload = {"tool_use_id": call, "content": content, "is_error": is_error}
    return Entry(entry_type=EntryType.TOOL_RESULT, payload=payload, turn_id=turn)


def called(cost_usd: float | None = 0.5, turn: str = "t1") -> ModelCalled:
    return ModelCalled(
        turn_id=turn,
        provider="script",
        wire_model="small-1",
        input_tokens=1,
        output_tokens=2,
        cache_read_tokens=3,
        cache_write_tokens=4,
        reasoning_tokens=5,
        cost_usd=cost_usd,
        duration_ms=6,
        attempts=1,
    )


def verdict(call: str, turn: str = "t1") -> VerdictGiven:
    return VerdictGiven(
        turn_id=turn,
        tool_use_id=call,
        tool_name="Read",
        decision="allow",
        reason={"rule": "baseline"},
        principal="person:ada",
    )


def receipt(kind: str = "turn", **body: Any) -> ReceiptIssued:
    return ReceiptIssued(kind=kind, turn_id="t1", principal="person:ada", body=body)


STORY: list[list[Record]] = [
    [opened("s1"), TurnOpened(turn_id="t1", principal="person:ada"), prompt("Fix the bug.")],
    [answer("I look."), use("call-1", file_path="/project/a.py"), called()],
    [verdict("call-1"), result("call-1", "1 line"), Happened(event_type="looked", detail={"at": "a.py"})],
    [answer("Done."), called(0.25), TurnClosed(turn_id="t1", status=TurnStatus.COMPLETED), receipt(steps=2)],
]
"""A whole session of one turn, commit by commit."""


def committed(ledger: Ledger, session: str, *groups: Sequence[Record]) -> None:
    """Commits one group after the other."""

    async def scenario() -> None:
        for records in groups:
            await ledger.commit(session, records)

    asyncio.run(scenario())


def plain(path: Path | str) -> sqlite3.Connection:
    """A connection as an operator has it: the sqlite3 program, without any of our code."""
    return sqlite3.connect(path, isolation_level=None)


def changed(path: Path | str, *statements: str) -> None:
    """What an operator (or a vandal) does to the file."""
    connection = plain(path)
    for statement in statements:
        connection.execute(statement)
    connection.close()


def python(script: str, *arguments: str | Path, unprivileged: bool = False) -> subprocess.Popen[str]:
    """Another process that runs a script with our code at hand.

    `unprivileged` takes root's right to ignore file modes away, so that tests of permissions mean something as root.
    """
    if unprivileged and os.geteuid() == 0:
        drop = "import ctypes; [ctypes.CDLL(None).prctl(24, right) for right in (1, 2)];"
        argv = [
            sys.executable,
            "-c",
            f"{drop} import os, sys; os.execv(sys.executable, [sys.executable, *sys.argv[1:]])",
        ]
    else:
        argv = [sys.executable]
    return subprocess.Popen(
        [*argv, "-c", script, *map(str, arguments)],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def line(process: subprocess.Popen[str]) -> str:
    """The next line that the process prints."""
    assert process.stdout is not None
    return process.stdout.readline().strip()


def go(*processes: subprocess.Popen[str]) -> None:
    """Ends the input that all of them wait for, so that they go on at once."""
    for process in processes:
        assert process.stdin is not None
        process.stdin.close()
        process.stdin = None


def output(process: subprocess.Popen[str]) -> str:
    """What the process printed, once it has ended well."""
    out, err = process.communicate(timeout=60)
    assert process.returncode == 0, err
    return out
