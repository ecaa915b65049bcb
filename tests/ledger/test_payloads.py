"""Which payloads are let in, and which rows are let out?"""

from pathlib import Path

import pytest

from daedal.ledger import Ledger
from daedal.protocol.content import Text, ToolUse
from daedal.protocol.errors import LedgerError
from daedal.protocol.records import Entry, EntryType
from tests.ledger.sample import STORY, changed, committed, opened

BAD = {
    "a prompt without uuid": (EntryType.USER, {"content": []}),
    "a prompt without content": (EntryType.USER, {"uuid": "u"}),
    "an answer in plain text": (EntryType.ASSISTANT, {"uuid": "u", "content": "hello"}),
    "a block of an unknown type": (EntryType.ASSISTANT, {"uuid": "u", "content": [{"type": "image", "data": ""}]}),
    "a block without its text": (EntryType.USER, {"uuid": "u", "content": [{"type": "text"}]}),
    "a call without name": (EntryType.TOOL_USE, {"id": "c", "input": {}}),
    "a call with a list as input": (EntryType.TOOL_USE, {"id": "c", "name": "Read", "input": []}),
    "a result that is neither right nor wrong": (EntryType.TOOL_RESULT, {"tool_use_id": "c", "content": ""}),
    "a result whose error is a word": (EntryType.TOOL_RESULT, {"tool_use_id": "c", "content": "", "is_error": "no"}),
    "a system entry without subtype": (EntryType.SYSTEM, {}),
    "progress without data": (EntryType.PROGRESS, {"data": None}),
    "an attachment of nothing": (EntryType.ATTACHMENT, {}),
    "a discriminator of its own": (EntryType.AI_TITLE, {"_t": "ai_title", "title": "x"}),
}


@pytest.mark.parametrize("case", BAD)
def test_a_payload_without_its_shape_is_refused(case: str, ledger: Ledger):
    kind, payload = BAD[case]
    with pytest.raises(LedgerError, match=f"a {kind} entry of session s1 does not have its shape"):
        committed(ledger, "s1", [opened("s1"), Entry(entry_type=kind, payload=payload)])
    assert ledger.reader.session("s1") is None


def test_blocks_may_be_given_as_the_protocols_own_words(ledger: Ledger):
    content = [Text("Let me see."), ToolUse("c", "Read", {"file_path": "a"})]
    committed(
        ledger, "s1", [opened("s1"), Entry(entry_type=EntryType.ASSISTANT, payload={"uuid": "u", "content": content})]
    )
    (entry,) = ledger.reader.entries("s1")
    assert entry.payload["content"] == [
        {"type": "text", "text": "Let me see."},
        {"type": "tool_use", "id": "c", "name": "Read", "input": {"file_path": "a"}},
    ]


DAMAGE = {
    "no JSON": 'payload_json = \'{"_t":"assistant"\'',
    "another kind's payload": """payload_json = '{"_t":"assistant","id":"c","name":"n","input":{}}'""",
    "another discriminator": """payload_json = '{"_t":"user","uuid":"u","content":[]}'""",
    "a kind that does not exist": "entry_type = 'thought'",
    "a number": "payload_json = 5",
    "extra that is no object": "extra_json = '[]'",
}


@pytest.mark.parametrize("case", DAMAGE)
def test_a_damaged_entry_is_named_and_not_passed_on(case: str, ledger: Ledger, path: Path):
    committed(ledger, "s1", *STORY)
    changed(path, f"UPDATE transcript_entries SET {DAMAGE[case]} WHERE sequence = 1")
    with pytest.raises(LedgerError, match=r"entry 1 of session s1 in .* is damaged"):
        ledger.reader.entries("s1")


@pytest.mark.parametrize(
    ("table", "column"),
    [("turns", "status"), ("turns", "error_json"), ("tool_permission_log", "reason_json"), ("events", "detail")],
)
def test_other_damaged_rows_are_named_too(table: str, column: str, ledger: Ledger, path: Path):
    committed(ledger, "s1", *STORY)
    changed(path, f"UPDATE {table} SET {column} = 'broken'")
    reader = ledger.reader
    read = {"turns": reader.turns, "tool_permission_log": reader.verdicts, "events": reader.events}[table]
    with pytest.raises(LedgerError, match=f"a row of {table} of session s1 in .* is damaged"):
        read("s1")


def test_columns_that_an_operator_left_empty_are_read_as_nothing(ledger: Ledger, path: Path):
    committed(ledger, "s1", [opened("s1")])
    changed(
        path,
        "INSERT INTO events(conversation_id, session_id, event_type) VALUES ('c-s1', 's1', 'note')",
        "INSERT INTO tool_permission_log(session_id, tool_use_id, tool_name, decision)"
        " VALUES ('s1', 'c', 'Bash', 'deny')",
    )
    (event,), (verdict,) = ledger.events("s1"), ledger.verdicts("s1")
    assert event.detail == {}
    assert (verdict.reason, verdict.principal, verdict.turn_id) == ({}, "", "")
