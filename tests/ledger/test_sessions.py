"""Are sessions found: the newest first, by project, by the beginning of an id, and quickly?"""

import asyncio
from pathlib import Path

import pytest

from daedal.ledger import Ledger
from daedal.protocol.errors import LedgerError, UsageError
from daedal.protocol.records import StoredSession, TurnOpened, TurnStatus
from tests.ledger.sample import STORY, answer, changed, committed, opened, plain, prompt


def ids(ledger: Ledger, **options) -> list[str]:
    return [session.session_id for session in ledger.reader.sessions(**{"limit": 50, **options})]


def begun(turn: str) -> TurnOpened:
    return TurnOpened(turn_id=turn, principal="p")


def test_a_session_in_a_list_tells_what_it_was_about(ledger: Ledger):
    committed(ledger, "s1", *STORY)
    (session,) = ledger.reader.sessions(limit=5)
    assert session == StoredSession(
        session_id="s1",
        conversation_id="c-s1",
        project_dir="/project",
        provider="script",
        model_id="small",
        started_at=session.started_at,
        last_active=session.last_active,
        preview="Fix the bug.",
        turns=1,
        entries=5,
        status=TurnStatus.COMPLETED,
        cost_usd=0.75,
    )
    assert len(session.started_at) == len(session.last_active) == len("2026-01-02 03:04:05")


def test_a_session_without_anything_in_it_is_listed_too(ledger: Ledger):
    committed(ledger, "s1", [opened("s1")])
    (session,) = ledger.reader.sessions(limit=5)
    assert (session.preview, session.turns, session.entries, session.status, session.cost_usd) == ("", 0, 0, None, 0.0)


def test_the_one_that_worked_last_comes_first_even_within_a_second(ledger: Ledger, path: Path):
    for name in ("a", "b", "c"):
        committed(ledger, name, [opened(name), begun(f"{name}1")])
    assert ids(ledger) == ["c", "b", "a"]
    changed(path, "UPDATE sessions SET last_active = substr(last_active, 1, 19)")
    committed(ledger, "a", [begun("a2")])
    assert ids(ledger)[0] == "a"
    assert ids(ledger, limit=1) == ["a"]


def test_a_list_can_be_of_one_project(ledger: Ledger):
    committed(ledger, "a", [opened("a", project="/one")])
    committed(ledger, "b", [opened("b", project="/two")])
    committed(ledger, "c", [opened("c", project="/one")])
    assert ids(ledger, project_dir="/one") == ["c", "a"]
    assert ids(ledger, project_dir="/none") == []
    assert ids(ledger, project_dir="/two") == ["b"]


def test_a_preview_is_one_short_line(ledger: Ledger):
    committed(ledger, "s1", [opened("s1"), prompt("Hello\n\n  there " + "and on " * 200)])
    (session,) = ledger.reader.sessions(limit=1)
    assert session.preview.startswith("Hello there and on")
    assert len(session.preview) == 120
    assert session.preview.endswith("…")


def test_one_damaged_row_does_not_hide_the_others(ledger: Ledger, path: Path):
    committed(ledger, "s1", *STORY)
    committed(ledger, "s2", [opened("s2"), begun("x"), prompt("Whole.")])
    changed(
        path,
        "UPDATE turns SET status = 'lost' WHERE session_id = 's1'",
        "UPDATE transcript_entries SET payload_json = '{' WHERE session_id = 's1'",
    )
    found = {session.session_id: (session.preview, session.status) for session in ledger.reader.sessions(limit=5)}
    assert found == {"s1": ("", None), "s2": ("Whole.", TurnStatus.IN_PROGRESS)}


def test_a_beginning_that_is_unique_is_enough(ledger: Ledger):
    for name in ("abc-1", "abc-2", "abd", "ab%", "abc"):
        committed(ledger, name, [opened(name)])
    found = {prefix: ledger.reader.find_session(prefix).session_id for prefix in ("abd", "abc-2", "abc", "ab%", "ab%")}
    assert found == {"abd": "abd", "abc-2": "abc-2", "abc": "abc", "ab%": "ab%"}


def test_an_ambiguous_beginning_names_the_candidates(ledger: Ledger):
    for number in range(7):
        committed(ledger, f"abc-{number}", [opened(f"abc-{number}")])
    with pytest.raises(UsageError, match=r"'abc' could be any of these sessions: abc-0, abc-1, .*abc-4, … ·"):
        ledger.reader.find_session("abc")


@pytest.mark.parametrize("prefix", ["nope", "", "%", "'; DROP TABLE sessions; --"])
def test_an_unknown_session_names_the_latest(prefix: str, ledger: Ledger):
    with pytest.raises(UsageError, match="holds none yet"):
        ledger.reader.find_session(prefix)
    committed(ledger, "abc", [opened("abc")])
    with pytest.raises(UsageError, match="the latest are: abc"):
        ledger.reader.find_session(prefix)


def test_a_name_that_is_no_text_is_a_message(ledger: Ledger):
    with pytest.raises(LedgerError, match="could not be used"):
        ledger.reader.find_session("\ud800")


def test_a_list_of_few_among_many_touches_only_those(ledger: Ledger, path: Path):
    """Counted in steps of SQLite's machine: 10,000 sessions, some with a long history, and 50 to show."""

    async def fill() -> None:
        async with asyncio.TaskGroup() as group:
            for number in range(100):
                session = f"s{number:03}"
                group.create_task(
                    ledger.commit(session, [opened(session), *[answer("x") for _ in range(300)], begun(f"t{number}")])
                )

    asyncio.run(fill())
    operator = plain(path)
    operator.execute("BEGIN")
    operator.execute("INSERT INTO conversations(id, project_dir) VALUES ('many', '/many')")
    operator.executemany(
        "INSERT INTO sessions(session_id, conversation_id, started_at) VALUES (?, 'many', '2020-01-01 00:00:00')",
        [(f"old-{number}",) for number in range(10_000)],
    )
    operator.execute("COMMIT")
    operator.close()
    steps: list[int] = []
    ledger.reader.connection.set_progress_handler(lambda: steps.append(1) and None, 100)
    for options in ({}, {"project_dir": "/many"}, {"project_dir": "/project"}, {"project_dir": "/none"}):
        steps.clear()
        ledger.reader.sessions(limit=50, **options)
        assert len(steps) < 400, options
    steps.clear()
    ledger.reader.find_session("old-77")
    assert len(steps) < 20
    ledger.reader.connection.set_progress_handler(None, 0)
