"""Are the entries of some turns found without a look at the others? Wherever they lie, also around a rewind."""

import asyncio
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from daedal.ledger import Ledger
from daedal.protocol.errors import LedgerError
from daedal.protocol.records import Entry, EntryType, Record, TurnOpened
from tests.ledger.sample import changed, committed, opened, prompt


def span(ledger: Ledger, session: str, first: str, before: str | None = None) -> list[str]:
    """The turns of the entries that were found."""
    found = asyncio.run(ledger.turn_entries(session, first=first, before=before))
    return [entry.turn_id for entry in found]


def turn(turn_id: str, count: int = 1) -> list[Record]:
    return [TurnOpened(turn_id=turn_id, principal="p"), *(prompt("x", turn_id) for _ in range(count))]


@settings(max_examples=30, deadline=None)
@given(counts=st.lists(st.integers(0, 4), min_size=1, max_size=12), data=st.data())
def test_any_turns_that_follow_each_other_are_found(tmp_path_factory: pytest.TempPathFactory, counts, data):
    ledger = Ledger.open(str(tmp_path_factory.mktemp("pages") / "daedal.db"))
    other = [record for number in range(3) for record in turn(f"other-{number}", 2)]
    note = Entry(entry_type=EntryType.SYSTEM, payload={"subtype": "note"})
    turns = [f"t{number}" for number in range(len(counts))]
    story = [[*turn(name, count), note] for name, count in zip(turns, counts, strict=True)]
    committed(ledger, "s", [opened("s"), note])
    committed(ledger, "o", [opened("o"), *other])
    committed(ledger, "s", *story)
    low = data.draw(st.integers(0, len(turns) - 1))
    high = data.draw(st.integers(low + 1, len(turns)))
    found = span(ledger, "s", turns[low], turns[high] if high < len(turns) else None)
    assert [name for name in found if name] == [
        name for name, count in zip(turns[low:high], counts[low:high], strict=True) for _ in range(count)
    ]
    ledger.close()


def test_damage_in_another_turn_is_not_read(ledger: Ledger, path: Path):
    committed(ledger, "s", [opened("s"), *turn("t1"), *turn("t2"), *turn("t3")])
    changed(path, "UPDATE transcript_entries SET payload_json = 'no json' WHERE turn_id IN ('t1', 't3')")
    with pytest.raises(LedgerError):
        asyncio.run(ledger.entries("s"))
    assert span(ledger, "s", "t2", "t3") == ["t2"]


def test_a_turn_that_goes_on_after_later_ones_were_taken_out_is_whole(ledger: Ledger):
    gone = [record for number in range(9) for record in turn(f"gone-{number}", 3)]
    committed(ledger, "s", [opened("s"), *turn("t1"), *turn("t2"), *gone])
    committed(ledger, "s", [prompt("again", "t2"), *turn("t3", 2)])
    found = span(ledger, "s", "t2", "t3")
    assert [name for name in found if name.startswith("t")] == ["t2", "t2"]
    assert span(ledger, "s", "t3") == ["t3", "t3"]
