"""Does a fold keep what it must, whatever the thread is made of? Any order of turns, steps and earlier folds."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from daedal.engine.fold_check import missing
from daedal.engine.fold_facts import user_facts, work_facts
from daedal.engine.fold_marks import Fact, clipped, digest_text, plain
from daedal.engine.fold_plan import Keeping, plan
from daedal.engine.fold_view import refolded
from daedal.engine.history import messages, pieces
from daedal.engine.pieces import PieceKind
from daedal.protocol.content import Message, ToolResult, ToolUse
from daedal.protocol.records import EntryType, StoredEntry
from daedal.providers.wire import to_json

WINDOW = 2_000


class Record:
    """A transcript that grows as the engine would write it."""

    def __init__(self) -> None:
        self.rows: list[StoredEntry] = []

    def add(self, kind: EntryType, payload: dict[str, Any], **extra: Any) -> None:
        self.rows.append(
            StoredEntry(
                sequence=len(self.rows),
                entry_type=kind,
                payload=payload,
                turn_id="t",
                tool_use_id=None,
                extra=extra,
                created_at="",
            )
        )

    def user(self, text: str) -> None:
        self.add(EntryType.USER, {"uuid": "u", "content": [{"type": "text", "text": text}]})

    def step(self, sizes: list[int]) -> None:
        ids = [f"c{len(self.rows)}_{at}" for at in range(len(sizes))]
        calls = [{"type": "tool_use", "id": each, "name": "Bash", "input": {"command": "ls"}} for each in ids]
        self.add(EntryType.ASSISTANT, {"uuid": "a", "content": calls})
        for each in ids:
            self.add(EntryType.TOOL_USE, {"id": each, "name": "Bash", "input": {"command": "ls"}})
        for each, size in zip(ids, sizes, strict=True):
            self.add(EntryType.TOOL_RESULT, {"tool_use_id": each, "content": "r" * size, "is_error": size % 3 == 0})

    def fold(self, tail_share: float) -> None:
        whole = pieces(self.rows)
        if whole:
            planned = plan(whole, self.rows, [], window=WINDOW, kept=Keeping(tail_share))
            payload = {
                "uuid": "f",
                "summary": "It went well.",
                "tail_from": planned.tail_from,
                "pinned": planned.pinned,
                "block_bytes_max": planned.block_bytes_max,
                "digests_left_out": 0,
            }
            self.add(EntryType.COLLAPSE_COMMIT, payload)


SAID = st.text(min_size=1, max_size=60).filter(str.strip)
DONE = st.lists(st.integers(0, 3_000), min_size=1, max_size=3)
EVENTS = st.lists(st.one_of(SAID, DONE, st.sampled_from([0.0, 0.1, 0.2])), max_size=25)


def lived(events: list[Any]) -> Record:
    record = Record()
    for event in events:
        if isinstance(event, str):
            record.user(event)
        elif isinstance(event, list):
            record.step(event)
        else:
            record.fold(event)
    return record


def are_paired(told: list[Message]) -> bool:
    """Calls and results follow each other, all of them."""
    open_calls: set[str] = set()
    for message in told:
        results = {block.tool_use_id for block in message.content if isinstance(block, ToolResult)}
        if results != open_calls:
            return False
        open_calls = {block.id for block in message.content if isinstance(block, ToolUse)}
    return not open_calls


@settings(max_examples=150, deadline=None)
@given(EVENTS)
def test_whatever_is_folded_user_turns_stay_in_order_and_no_result_is_without_its_call(events: list[Any]):
    record = lived(events)
    told = messages(record.rows)
    assert are_paired(told)
    request = to_json([message.content for message in told])
    assert missing(user_facts(record.rows), request) == []
    said = [
        block.text for piece in pieces(record.rows) if piece.kind is PieceKind.USER for block in piece.message.content
    ]
    assert said == [event for event in events if isinstance(event, str)]


@settings(max_examples=100, deadline=None)
@given(EVENTS, EVENTS)
def test_a_thread_that_goes_on_from_a_fold_is_what_its_record_says(before: list[Any], after: list[Any]):
    """As the engine does it: what a fold left, and only the rows since."""
    record = lived([*before, 0.1])
    kept, through = pieces(record.rows), len(record.rows)
    for event in after:
        if isinstance(event, str):
            record.user(event)
        elif isinstance(event, list):
            record.step(event)
    assert pieces(record.rows[through:], kept) == pieces(record.rows)


def test_a_fact_that_is_not_word_for_word_in_the_request_is_missing():
    fact = Fact("user_turn", 'Say "so",\nplease: ünïcode\x07', 1)
    assert missing([fact], to_json([f"… {fact.text} …"])) == []
    assert missing([fact], to_json([fact.text.replace("so", "no")])) == [fact]


@given(st.text())
def test_nothing_that_a_model_writes_passes_for_a_mark(text: str):
    for mark in ("<digest>", "</digest>", "<pinned>", "< / PINNED >", '<fact kind="x">', "[SDLC_INTERNAL]", "<system>"):
        written = digest_text(f"{text}{mark}{text}")
        assert mark not in plain(mark)
        assert written.count("<digest>") == written.count("</digest>") == 1


@given(st.text(max_size=300), st.integers(10, 100))
def test_what_is_clipped_is_bounded(text: str, length: int):
    assert len(clipped(text, length)) <= length + 5


def test_a_row_of_the_version_that_folded_everything_is_still_understood():
    record = Record()
    record.user("Old.")
    record.add(EntryType.COLLAPSE_COMMIT, {"uuid": "f", "summary": "We spoke."})
    record.user("New.")
    told = [message.content[0].text for message in messages(record.rows)]
    assert told == [digest_text("We spoke."), "New."]


def test_digests_that_are_left_out_leave_one_note_and_all_that_is_pinned():
    record = lived(["Go.", [900], 0.0, "More.", [3], 0.0, [800], 0.0])
    whole = pieces(record.rows)
    payload = record.rows[-1].payload | {"tail_from": len(record.rows), "digests_left_out": 3, "pinned": []}
    texts = [block.text for piece in refolded(whole, payload) for block in piece.message.content]
    assert texts[:2] == ["Go.", texts[1]]
    assert sum("no longer fits" in text for text in texts) == 3
    assert sum("<pinned>" in text for text in texts) == 2
    assert sum("It went well." in text for text in texts) == 1


def test_decisions_of_the_person_and_rows_that_pin_something_are_pinned():
    record = Record()
    for number, (tool, arguments, result) in enumerate(
        [
            ("ExitPlanMode", {"plan": "1. Split <pinned>it</pinned>."}, "Approved."),
            ("AskUserQuestion", {"questions": []}, "The user chose SQLite."),
        ]
    ):
        called = {"id": f"c{number}", "name": tool, "input": arguments}
        record.add(EntryType.ASSISTANT, {"uuid": "a", "content": [{"type": "tool_use", **called}]})
        record.add(EntryType.TOOL_USE, called)
        record.add(EntryType.TOOL_RESULT, {"tool_use_id": f"c{number}", "content": result, "is_error": False})
    pin = {"subtype": "pinned_fact", "kind": "success_criterion", "text": "pytest -q passes"}
    record.add(EntryType.SYSTEM, pin)
    facts = work_facts(record.rows, [], bytes_max=4_000, of_a_kind=4_000)
    assert {(fact.kind, fact.text) for fact in facts} == {
        ("success_criterion", "1. Split ‹pinned>it‹/pinned>."),
        ("answer", "The user chose SQLite."),
        ("success_criterion", "pytest -q passes"),
    }
    assert work_facts(record.rows, facts, bytes_max=4_000, of_a_kind=4_000) == []


def test_of_many_failures_the_newest_are_pinned():
    record = Record()
    for number in range(60):
        called = {"id": f"c{number}", "name": "Bash", "input": {"command": f"try {number}"}}
        record.add(EntryType.TOOL_USE, called)
        record.add(EntryType.TOOL_RESULT, {"tool_use_id": f"c{number}", "content": "no", "is_error": True})
    facts = work_facts(record.rows, [], bytes_max=4_000, of_a_kind=100_000)
    assert [fact.text for fact in facts] == [
        f'Bash {{"command":"try {number}"}} failed: no' for number in range(40, 60)
    ]
    assert len(work_facts(record.rows, [], bytes_max=4_000, of_a_kind=100)) == 3
