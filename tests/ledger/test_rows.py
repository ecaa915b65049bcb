"""Which rows does a commit leave?"""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from daedal.ledger import Ledger, StoredCall, StoredEvent, StoredVerdict
from daedal.protocol.errors import LedgerError
from daedal.protocol.ids import new_id
from daedal.protocol.records import (
    Entry,
    EntryType,
    Happened,
    SessionOpened,
    TurnClosed,
    TurnOpened,
    TurnReopened,
    TurnStatus,
)
from tests.ledger.sample import STORY, answer, called, committed, opened, plain, prompt, result, use, verdict


def rows(path: Path, statement: str) -> list[tuple]:
    connection = plain(path)
    found = connection.execute(statement).fetchall()
    connection.close()
    return found


def test_payloads_are_compact_json_with_the_discriminator_first(ledger: Ledger, path: Path):
    committed(ledger, "s1", *STORY)
    found = rows(path, "SELECT sequence, entry_type, payload_json, tool_use_id FROM transcript_entries ORDER BY id")
    assert found == [
        (0, "user", '{"_t":"user","uuid":"u","content":[{"type":"text","text":"Fix the bug."}]}', None),
        (1, "assistant", '{"_t":"assistant","uuid":"u","content":[{"type":"text","text":"I look."}]}', None),
        (
            2,
            "tool_use",
            '{"_t":"tool_use","id":"call-1","name":"Read","input":{"file_path":"/project/a.py"}}',
            "call-1",
        ),
        (
            3,
            "tool_result",
            '{"_t":"tool_result","tool_use_id":"call-1","content":"1 line","is_error":false}',
            "call-1",
        ),
        (4, "assistant", '{"_t":"assistant","uuid":"u","content":[{"type":"text","text":"Done."}]}', None),
    ]


def test_usage_verdicts_and_events_are_read_back_as_they_were_said(ledger: Ledger):
    committed(ledger, "s1", *STORY)
    calls, verdicts, events = ledger.calls("s1"), ledger.verdicts("s1"), ledger.events("s1")
    fields = {name: getattr(called(), name) for name in called().__struct_fields__}
    assert calls == [
        StoredCall(**fields, created_at=calls[0].created_at),
        StoredCall(**{**fields, "cost_usd": 0.25}, created_at=calls[1].created_at),
    ]
    fields = {name: getattr(verdict("call-1"), name) for name in verdict("call-1").__struct_fields__}
    assert verdicts == [StoredVerdict(**fields, created_at=verdicts[0].created_at)]
    assert events == [StoredEvent(event_type="looked", detail={"at": "a.py"}, created_at=events[0].created_at)]


def test_an_event_names_its_conversation(ledger: Ledger, path: Path):
    committed(ledger, "s1", [opened("s1", conversation="c1"), Happened(event_type="x", detail={})])
    assert rows(path, "SELECT conversation_id, session_id, detail FROM events") == [("c1", "s1", "{}")]


def test_sessions_of_one_conversation_share_its_row(ledger: Ledger, path: Path):
    committed(ledger, "s1", [opened("s1", conversation="c1")])
    committed(ledger, "s2", [opened("s2", conversation="c1", project="/elsewhere")])
    assert rows(path, "SELECT id, project_dir, phase FROM conversations") == [("c1", "/project", "idle")]
    assert rows(path, "SELECT session_id, project_dir FROM sessions") == [("s1", "/project"), ("s2", "/project")]


def test_sequences_count_per_session(ledger: Ledger):
    committed(ledger, "a", [opened("a"), prompt("1"), answer("2")])
    committed(ledger, "b", [opened("b"), prompt("1")])
    committed(ledger, "a", [prompt("3")])
    assert [entry.sequence for entry in ledger.reader.entries("a")] == [0, 1, 2]
    assert [entry.sequence for entry in ledger.reader.entries("b")] == [0]


def test_what_an_operator_wrote_is_counted_on_from(ledger: Ledger, path: Path):
    committed(ledger, "s1", [opened("s1")])
    rows(
        path,
        "INSERT INTO transcript_entries(session_id, sequence, entry_type, payload_json)"
        """ VALUES ('s1', 0, 'user', '{"uuid":"o","content":[]}') RETURNING id""",
    )
    committed(ledger, "s1", [answer("next")])
    first, second = ledger.reader.entries("s1")
    assert (first.payload, first.turn_id, first.extra) == ({"uuid": "o", "content": []}, "", {})
    assert second.sequence == 1


def test_extra_is_kept_beside_the_payload(ledger: Ledger):
    entry = Entry(entry_type=EntryType.ASSISTANT, payload=answer("x").payload, extra={"kept": [{"index": 0}]})
    committed(ledger, "s1", [opened("s1"), entry])
    (stored,) = ledger.reader.entries("s1")
    assert (stored.payload, stored.extra) == (answer("x").payload, {"kept": [{"index": 0}]})


def test_a_reopened_turn_is_under_way_again(ledger: Ledger):
    error = {"kind": "network", "message": "gone"}
    committed(
        ledger,
        "s1",
        [opened("s1"), TurnOpened(turn_id="t1", principal="p")],
        [TurnClosed(turn_id="t1", status=TurnStatus.FAILED, error=error)],
    )
    (turn,) = ledger.reader.turns("s1")
    assert (turn.status, turn.error) == (TurnStatus.FAILED, error)
    committed(ledger, "s1", [TurnReopened(turn_id="t1")])
    (turn,) = ledger.reader.turns("s1")
    assert (turn.status, turn.error, turn.completed_at) == (TurnStatus.IN_PROGRESS, None, None)


def test_activity_is_noted_in_the_same_commit(ledger: Ledger, path: Path):
    committed(ledger, "s1", [opened("s1")])
    rows(path, "UPDATE conversations SET last_active = '2001-01-01 00:00:00' RETURNING id")
    rows(path, "UPDATE sessions SET last_active = '2001-01-01 00:00:00' RETURNING session_id")
    committed(ledger, "s1", [called()])
    assert rows(path, "SELECT last_active > '2002' FROM conversations") == [(1,)]
    assert rows(path, "SELECT last_active > '2002' FROM sessions") == [(1,)]


REFUSED = {
    "an unknown session": ([prompt("x")], "not in the ledger"),
    "a session twice": ([opened("known")], "already"),
    "a session under another's name": (
        [SessionOpened(session_id="b", conversation_id="c", project_dir="/", provider="", model_id="")],
        "was given to session",
    ),
    "a turn that was never opened": ([TurnClosed(turn_id="no", status=TurnStatus.FAILED)], "turn no"),
    "reopening a turn that is not there": ([TurnReopened(turn_id="no")], "turn no"),
    "a turn twice": ([TurnOpened(turn_id="t", principal="p"), TurnOpened(turn_id="t", principal="p")], "refused"),
    "a kind that does not exist": ([Entry(entry_type="thought", payload={})], "'thought' is no kind"),
    "a payload that is no JSON": ([Happened(event_type="x", detail={"a": object()})], "written as JSON"),
    "text that is no Unicode": ([prompt("\ud800")], "written as JSON"),
    "an id that is no Unicode": ([TurnOpened(turn_id="\ud800", principal="p")], "refused"),
    "a number that no column holds": ([called(cost_usd=None), TurnOpened(turn_id=2**70, principal="p")], "refused"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_commit_with_one_bad_record_leaves_nothing(case: str, ledger: Ledger, path: Path):
    records, sentence = REFUSED[case]
    committed(ledger, "known", [opened("known")])
    before = (
        rows(path, "SELECT * FROM transcript_entries, events, turns, model_calls"),
        len(rows(path, "SELECT * FROM sessions")),
    )
    session = "unknown" if case == "an unknown session" else "known"
    good = [] if session == "unknown" else [answer("before"), called()]
    with pytest.raises(LedgerError, match=sentence):
        committed(ledger, session, [*good, *records, answer("after")])
    after = (
        rows(path, "SELECT * FROM transcript_entries, events, turns, model_calls"),
        len(rows(path, "SELECT * FROM sessions")),
    )
    assert after == before
    committed(ledger, "known", [answer("and on")])
    assert [entry.sequence for entry in ledger.reader.entries("known")] == [0]


text = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | text,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(text, inner, max_size=3),
    max_leaves=6,
)
objects = st.dictionaries(text, values, max_size=3)
blocks = st.one_of(
    st.builds(lambda t: {"type": "text", "text": t}, text),
    st.builds(lambda i, n, a: {"type": "tool_use", "id": i, "name": n, "input": a}, text, text, objects),
    st.builds(
        lambda i, c, e: {"type": "tool_result", "tool_use_id": i, "content": c, "is_error": e},
        text,
        text,
        st.booleans(),
    ),
)
said = st.builds(lambda u, c: {"uuid": u, "content": c}, text, st.lists(blocks, max_size=3))
opaque = st.dictionaries(text.filter(lambda key: key != "_t"), values, max_size=3)
PAYLOADS = {
    EntryType.USER: said,
    EntryType.ASSISTANT: said,
    EntryType.TOOL_USE: st.builds(lambda i, n, a: {"id": i, "name": n, "input": a}, text, text, objects),
    EntryType.TOOL_RESULT: st.builds(
        lambda i, c, e: {"tool_use_id": i, "content": c, "is_error": e}, text, text, st.booleans()
    ),
    EntryType.SYSTEM: st.builds(lambda s, o: {**o, "subtype": s}, text, opaque),
    EntryType.PROGRESS: st.builds(lambda o: {"data": o}, objects),
    EntryType.ATTACHMENT: st.builds(lambda o: {"attachment": o}, objects),
}
entries = st.sampled_from(list(EntryType)).flatmap(
    lambda kind: st.builds(
        lambda payload, turn, extra: Entry(entry_type=kind, payload=payload, turn_id=turn, extra=extra),
        PAYLOADS.get(kind, opaque),
        text,
        objects,
    )
)


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ledger]:
    ledger = Ledger.open(str(tmp_path_factory.mktemp("shared") / "daedal.db"))
    yield ledger
    ledger.close()


@settings(max_examples=40, deadline=None)
@given(groups=st.lists(st.lists(entries, max_size=5), max_size=4))
def test_whatever_has_its_shape_comes_back_unchanged(groups: list[list[Entry]], shared: Ledger):
    session = new_id()
    committed(shared, session, [opened(session)], *groups)
    stored = shared.reader.entries(session)
    given_entries = [entry for group in groups for entry in group]
    assert [(e.sequence, e.entry_type, e.payload, e.turn_id, e.extra) for e in stored] == [
        (number, e.entry_type, e.payload, e.turn_id, e.extra) for number, e in enumerate(given_entries)
    ]
    assert [list(e.payload) for e in stored] == [list(e.payload) for e in given_entries]


def test_a_commit_costs_the_same_however_long_the_history_is(ledger: Ledger, path: Path):
    """Counted in steps of SQLite's machine, which do not depend on how busy this computer is."""
    committed(ledger, "s1", [opened("s1")])
    connection = ledger._writer._connection
    steps = []
    connection.set_progress_handler(lambda: steps.append(1) and None, 10)

    def cost() -> int:
        steps.clear()
        committed(ledger, "s1", [use("c"), verdict("c"), result("c", "x"), called()])
        return len(steps)

    early = cost()
    connection.set_progress_handler(None, 0)
    committed(ledger, "s1", [prompt("more") for _ in range(5000)], [called() for _ in range(5000)])
    connection.set_progress_handler(lambda: steps.append(1) and None, 10)
    assert cost() < early * 2
    connection.set_progress_handler(None, 0)


def test_tasks_of_one_session_may_commit_at_once(ledger: Ledger):
    async def scenario() -> None:
        await ledger.commit("s1", [opened("s1")])
        async with asyncio.TaskGroup() as group:
            for number in range(50):
                group.create_task(ledger.commit("s1", [use(f"c{number}"), result(f"c{number}", "x")]))

    asyncio.run(scenario())
    stored = ledger.reader.entries("s1")
    assert [entry.sequence for entry in stored] == list(range(100))
    assert all(use.tool_use_id == result.tool_use_id for use, result in zip(stored[::2], stored[1::2], strict=True))
