"""Do many share one COMMIT, does nobody block the loop, and is every outcome told to its caller?"""

import asyncio
import sqlite3
import threading
from pathlib import Path

import pytest

from daedal.ledger import Ledger
from daedal.ledger import writer as writing
from daedal.ledger.connection import open_writable
from daedal.ledger.groups import Groups
from daedal.ledger.writer import Writer
from daedal.protocol.errors import LedgerBusy, LedgerError
from daedal.protocol.records import Happened, TurnReopened
from tests.ledger.sample import answer, committed, opened, plain, prompt, receipt


def statements(ledger: Ledger) -> list[str]:
    """Collects what the write connection executes from now on."""
    seen: list[str] = []
    ledger._writer._connection.set_trace_callback(seen.append)
    return seen


def test_sessions_that_commit_in_one_round_share_a_commit(ledger: Ledger):
    seen = statements(ledger)

    async def scenario() -> None:
        async with asyncio.TaskGroup() as group:
            for number in range(200):
                group.create_task(ledger.commit(f"s{number}", [opened(f"s{number}"), prompt("x"), receipt()]))

    asyncio.run(scenario())
    assert (seen.count("BEGIN IMMEDIATE"), seen.count("COMMIT")) == (1, 1)
    assert len(ledger.reader.sessions(limit=500)) == 200
    assert ledger.verify_receipts().count == 200


def test_one_session_alone_commits_at_once(ledger: Ledger):
    async def scenario() -> None:
        await ledger.commit("s1", [opened("s1")])
        waiting = ledger.commit("s1", [prompt("x")])
        with pytest.raises(StopIteration):
            waiting.send(None)

    asyncio.run(scenario())
    assert len(ledger.reader.entries("s1")) == 1


def test_a_group_has_exactly_one_commit_and_a_lone_failure_none(ledger: Ledger):
    seen = statements(ledger)
    committed(ledger, "s1", [opened("s1")], [prompt("a")], [prompt("b")])
    assert seen.count("COMMIT") == 3
    with pytest.raises(LedgerError):
        committed(ledger, "s1", [TurnReopened(turn_id="no")])
    assert (seen.count("COMMIT"), seen.count("ROLLBACK")) == (3, 1)


def test_a_bad_commit_fails_alone_among_others(ledger: Ledger):
    async def scenario():
        return await asyncio.gather(
            ledger.commit("a", [opened("a"), prompt("x")]),
            ledger.commit("b", [opened("b"), TurnReopened(turn_id="no")]),
            ledger.commit("nobody", [prompt("x")]),
            ledger.commit("c", [opened("c"), prompt("x")]),
            return_exceptions=True,
        )

    first, second, third, fourth = asyncio.run(scenario())
    assert (first, fourth) == (None, None)
    assert "turn no of session b" in str(second)
    assert "session nobody" in str(third)
    assert {session.session_id for session in ledger.reader.sessions(limit=9)} == {"a", "c"}


def test_a_group_in_which_everybody_fails_leaves_nothing(ledger: Ledger):
    async def scenario():
        return await asyncio.gather(
            *[ledger.commit(f"x{n}", [opened(f"x{n}"), TurnReopened(turn_id="no")]) for n in range(3)],
            return_exceptions=True,
        )

    assert [type(outcome) for outcome in asyncio.run(scenario())] == [LedgerError] * 3
    assert ledger.reader.sessions(limit=9) == []


def test_a_mistake_in_our_own_code_reaches_its_caller_and_nobody_else(path: Path):
    writer = Writer(open_writable(str(path), 1000), str(path), 1000)

    def work(connection: sqlite3.Connection) -> None:
        connection.execute("CREATE TABLE kept (a)")

    def mistake(connection: sqlite3.Connection) -> None:
        connection.execute("CREATE TABLE lost (a)")
        raise ZeroDivisionError

    async def scenario():
        return await asyncio.gather(writer.commit("a", mistake), writer.commit("b", work), return_exceptions=True)

    outcomes = asyncio.run(scenario())
    assert [type(outcome) for outcome in outcomes] == [ZeroDivisionError, type(None)]
    writer.close()
    connection = plain(path)
    assert connection.execute("SELECT name FROM sqlite_master").fetchall() == [("kept",)]
    connection.close()


def test_while_another_process_writes_the_loop_goes_on(ledger: Ledger, path: Path):
    holder = plain(path)
    holder.execute("BEGIN IMMEDIATE")

    async def scenario() -> None:
        first = asyncio.create_task(ledger.commit("a", [opened("a")]))
        second = asyncio.create_task(ledger.commit("b", [opened("b")]))
        while ledger._writer._thread is None:
            await asyncio.sleep(0)
        third = asyncio.create_task(ledger.commit("c", [opened("c")]))
        for _ in range(20):
            await asyncio.sleep(0)
        assert not any(task.done() for task in (first, second, third))
        holder.execute("COMMIT")
        await asyncio.gather(first, second, third)

    asyncio.run(scenario())
    holder.close()
    assert ledger._writer._thread is None
    assert len(ledger.reader.sessions(limit=9)) == 3


def test_a_commit_that_is_cancelled_while_it_waits_is_still_finished_and_known(ledger: Ledger, path: Path):
    holder = plain(path)
    holder.execute("BEGIN IMMEDIATE")

    async def scenario() -> None:
        task = asyncio.create_task(ledger.commit("a", [opened("a")]))
        while ledger._writer._thread is None:
            await asyncio.sleep(0)
        task.cancel()
        for _ in range(20):
            await asyncio.sleep(0)
        assert not task.done()
        holder.execute("COMMIT")
        with pytest.raises(asyncio.CancelledError) as cancelled:
            await task
        assert cancelled.value.__cause__ is None

    asyncio.run(scenario())
    holder.close()
    assert ledger.reader.session("a") is not None


def test_a_cancelled_commit_that_failed_says_so(ledger: Ledger, path: Path):
    holder = plain(path)
    holder.execute("BEGIN IMMEDIATE")

    async def scenario() -> None:
        task = asyncio.create_task(ledger.commit("a", [opened("a"), TurnReopened(turn_id="no")]))
        while ledger._writer._thread is None:
            await asyncio.sleep(0)
        task.cancel()
        holder.execute("COMMIT")
        with pytest.raises(asyncio.CancelledError) as cancelled:
            await task
        assert "turn no" in str(cancelled.value.__cause__)

    asyncio.run(scenario())
    holder.close()


def test_a_queue_that_is_full_makes_newcomers_wait(ledger: Ledger, path: Path):
    holder = plain(path)
    holder.execute("BEGIN IMMEDIATE")
    extra = 30

    async def scenario() -> None:
        async with asyncio.TaskGroup() as group:
            for number in range(writing.QUEUE_MAX + extra):
                session = f"s{number}"
                group.create_task(ledger.commit(session, [opened(session, conversation="c")]))
            while ledger._writer._thread is None:
                assert len(ledger._writer._queue) <= writing.QUEUE_MAX
                await asyncio.sleep(0)
            assert len(ledger._writer._queue) + writing.GROUP_MAX <= writing.QUEUE_MAX
            holder.execute("COMMIT")

    asyncio.run(scenario())
    holder.close()
    (count,) = ledger.reader.rows("SELECT COUNT(*) FROM sessions")[0]
    assert count == writing.QUEUE_MAX + extra


def test_whoever_is_cancelled_before_there_was_room_knows_that_nothing_was_kept(ledger: Ledger, path: Path):
    holder = plain(path)
    holder.execute("BEGIN IMMEDIATE")

    async def scenario() -> None:
        async with asyncio.TaskGroup() as group:
            for number in range(writing.QUEUE_MAX):
                session = f"s{number}"
                group.create_task(ledger.commit(session, [opened(session, conversation="c")]))
            late = asyncio.create_task(ledger.commit("late", [opened("late")]))
            await asyncio.sleep(0)
            late.cancel()
            with pytest.raises(asyncio.CancelledError) as cancelled:
                await late
            assert isinstance(cancelled.value.__cause__, LedgerError)
            holder.execute("COMMIT")

    asyncio.run(scenario())
    holder.close()
    assert ledger.reader.session("late") is None


def test_a_slow_disk_is_waited_for_in_a_thread(ledger: Ledger):
    threads: list[str] = []
    ledger._writer._connection.set_trace_callback(
        lambda statement: threads.append(threading.current_thread().name) if statement == "COMMIT" else None
    )
    for _ in range(2):
        ledger._writer._judge(took_s=1.0)
    committed(ledger, "s1", [opened("s1")], *[[prompt("x")] for _ in range(writing._THREADED_GROUPS)])
    assert threads == ["daedal-ledger"] * writing._THREADED_GROUPS + ["MainThread"]
    ledger._writer._judge(took_s=1.0)
    ledger._writer._judge(took_s=0.0)
    committed(ledger, "s1", [prompt("x")])
    assert threads[-1] == "MainThread"


def test_a_second_event_loop_may_go_on_where_the_first_was_cut_off(ledger: Ledger, path: Path):
    async def cut_off() -> None:
        task = asyncio.ensure_future(ledger.commit("a", [opened("a")]))
        await asyncio.sleep(0)
        asyncio.get_running_loop().stop()
        await task

    loop = asyncio.new_event_loop()
    left = loop.create_task(cut_off())
    loop.run_forever()
    committed(ledger, "b", [opened("b")])
    assert {session.session_id for session in ledger.reader.sessions(limit=9)} >= {"b"}
    # Whoever is left behind in the first loop is let go, so that nothing complains when it is taken apart.
    for task in asyncio.all_tasks(loop):
        task._log_destroy_pending = False
    left.cancel()
    loop.close()


def test_closing_waits_for_a_commit_under_way(ledger: Ledger, path: Path):
    closing = threading.Event()

    def let_go() -> None:
        closing.wait()
        holder.execute("COMMIT")

    releaser = threading.Thread(target=let_go)
    holder = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    holder.execute("BEGIN IMMEDIATE")
    releaser.start()

    async def scenario() -> None:
        first = asyncio.create_task(ledger.commit("a", [opened("a")]))
        while ledger._writer._thread is None:
            await asyncio.sleep(0)
        second = asyncio.create_task(ledger.commit("b", [opened("b")]))
        await asyncio.sleep(0)
        closing.set()
        ledger.close()
        await first
        with pytest.raises(LedgerError, match="is closed"):
            await second

    asyncio.run(scenario())
    releaser.join()
    holder.close()
    again = Ledger.open(str(path))
    assert [session.session_id for session in again.reader.sessions(limit=9)] == ["a"]
    again.close()


def test_everybody_is_told_when_the_database_cannot_be_written(path: Path):
    Ledger.open(str(path)).close()
    holder = plain(path)
    holder.execute("BEGIN IMMEDIATE")
    ledger = Ledger.open(str(path), busy_timeout_ms=20)

    async def scenario():
        return await asyncio.gather(
            *[ledger.commit(f"s{n}", [opened(f"s{n}")]) for n in range(3)], return_exceptions=True
        )

    assert [type(outcome) for outcome in asyncio.run(scenario())] == [LedgerBusy] * 3
    holder.close()
    ledger.close()


def test_an_interrupted_group_is_rolled_back(path: Path):
    connection = open_writable(str(path), 1000)
    groups = Groups(connection, str(path), 1000)

    def interrupted(connection: sqlite3.Connection) -> None:
        connection.execute("CREATE TABLE half (a)")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        groups.commit([interrupted], patient=False)
    assert not connection.in_transaction
    assert connection.execute("SELECT * FROM sqlite_master").fetchall() == []
    assert connection.execute("PRAGMA busy_timeout").fetchone() == (1000,)
    connection.close()


def test_pressing_ctrl_c_twice_leaves_nobody_waiting(path: Path):
    writer = Writer(open_writable(str(path), 1000), str(path), 1000)

    def interrupted(connection: sqlite3.Connection) -> None:
        raise KeyboardInterrupt

    told: list[BaseException | None] = []

    async def caller() -> None:
        try:
            await writer.commit("a", interrupted)
        except asyncio.CancelledError as cancelled:
            told.append(cancelled.__cause__)
            raise

    with pytest.raises(KeyboardInterrupt):
        asyncio.run(caller())
    assert "was interrupted" in str(told[0])
    writer.close()


def test_readers_see_whole_commits_while_somebody_writes(ledger: Ledger, path: Path):
    committed(ledger, "s1", [opened("s1")])
    ledger._writer._connection.execute("BEGIN IMMEDIATE")
    ledger._writer._connection.execute("DELETE FROM sessions")
    assert ledger.reader.session("s1") is not None
    ledger._writer._connection.execute("ROLLBACK")


def test_records_are_checked_before_anything_is_queued(ledger: Ledger):
    seen = statements(ledger)
    with pytest.raises(LedgerError, match="written as JSON"):
        committed(ledger, "s1", [opened("s1"), answer("x"), Happened(event_type="x", detail={"bad": object()})])
    assert seen == []
