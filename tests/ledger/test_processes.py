"""Do several processes share one file, and does a killed one leave it whole?"""

import signal
from pathlib import Path

from daedal.ledger import Ledger, ReceiptCheck
from tests.ledger.sample import go, line, output, plain, python

APPEND = """
import asyncio, sys
from daedal.ledger import Ledger
from tests.ledger.sample import opened, receipt, result, use
path, session, count = sys.argv[1], sys.argv[2], int(sys.argv[3])

async def main():
    ledger = Ledger.open(path)
    await ledger.commit(session, [opened(session)])
    print("ready", flush=True)
    sys.stdin.read()
    for number in range(count):
        call = f"call-{number}"
        await ledger.commit(session, [use(call), receipt(call=call), result(call, "x" * 300)])
        print(number, flush=True)
    ledger.close()

asyncio.run(main())
"""


def test_processes_that_write_at_once_lose_nothing_and_share_one_chain(path: Path):
    sessions, count = ["a", "b", "c"], 60
    processes = [python(APPEND, path, session, str(count)) for session in sessions]
    assert [line(process) for process in processes] == ["ready"] * len(sessions)
    go(*processes)
    for process in processes:
        assert len(output(process).split()) == count
    ledger = Ledger.open(str(path))
    for session in sessions:
        entries = ledger.reader.entries(session)
        assert [entry.sequence for entry in entries] == list(range(count * 2))
    assert ledger.verify_receipts() == ReceiptCheck(count=count * len(sessions), broken_at=None)
    assert all(finding.ok for finding in ledger.health())
    ledger.close()


def test_a_killed_writer_leaves_every_acknowledged_commit_and_no_half_one(path: Path):
    for acknowledged in (1, 7, 20):
        session = f"killed-{acknowledged}"
        process = python(APPEND, path, session, "100000")
        assert line(process) == "ready"
        go(process)
        seen = -1
        while seen < acknowledged:
            seen = int(line(process))
        process.send_signal(signal.SIGKILL)
        # What it still said between our last look and the kill was durable before it said it.
        out, _ = process.communicate()
        seen = max([seen, *[int(word) for word in out.split()]])
        ledger = Ledger.open(str(path))
        entries = ledger.reader.entries(session)
        assert len(entries) >= (seen + 1) * 2
        assert len(entries) % 2 == 0
        assert [entry.sequence for entry in entries] == list(range(len(entries)))
        receipts = ledger.reader.rows("SELECT COUNT(*) FROM receipts WHERE session_id = ?", (session,))
        assert receipts == [(len(entries) // 2,)]
        assert ledger.verify_receipts().broken_at is None
        assert all(finding.ok for finding in ledger.health())
        ledger.close()


def test_a_process_killed_inside_a_transaction_leaves_nothing_of_it(path: Path):
    script = """
import os, signal, sys
from daedal.ledger import Ledger
ledger = Ledger.open(sys.argv[1])

def half(connection):
    connection.execute("INSERT INTO conversations(id, project_dir) VALUES ('half', '/')")
    os.kill(os.getpid(), signal.SIGKILL)

ledger._writer.now(half)
"""
    process = python(script, path)
    process.communicate(timeout=60)
    assert process.returncode == -signal.SIGKILL
    ledger = Ledger.open(str(path))
    ledger.put_snapshots({"effective": "{}"})
    ledger.close()
    connection = plain(path)
    assert connection.execute("SELECT COUNT(*) FROM conversations").fetchone() == (0,)
    connection.close()
