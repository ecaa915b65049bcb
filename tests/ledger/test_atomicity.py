"""Whatever is committed in whatever order: are sequences without gaps and groups all or nothing?"""

import asyncio
import shutil
import tempfile

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from daedal.ledger import Ledger
from daedal.protocol.errors import LedgerError
from daedal.protocol.records import Entry, EntryType, Record, TurnReopened
from tests.ledger.sample import opened, prompt, receipt

SESSIONS = ["a", "b", "c"]
BAD: list[Record] = [
    Entry(entry_type=EntryType.USER, payload={}),
    TurnReopened(turn_id="never-opened"),
    opened("a"),
]
names = st.sampled_from(SESSIONS)
sizes = st.integers(0, 4)


class Books(RuleBasedStateMachine):
    """A ledger beside plain lists that say what it should hold."""

    @initialize()
    def open(self) -> None:
        self.folder = tempfile.mkdtemp()
        self.ledger = Ledger.open(f"{self.folder}/daedal.db")
        self.loop = asyncio.new_event_loop()
        self.expected: dict[str, list[str]] = {name: [] for name in SESSIONS}
        self.receipts = 0
        self.count = 0
        for name in SESSIONS:
            self.loop.run_until_complete(self.ledger.commit(name, [opened(name)]))

    def records(self, size: int) -> list[str]:
        self.count += size
        return [f"text {number}" for number in range(self.count - size, self.count)]

    @rule(name=names, size=sizes)
    def commit(self, name: str, size: int) -> None:
        texts = self.records(size)
        self.loop.run_until_complete(self.ledger.commit(name, [*map(prompt, texts), receipt(size=size)]))
        self.expected[name] += texts
        self.receipts += 1

    @rule(name=names, size=sizes, at=st.integers(0, 4), bad=st.sampled_from(BAD))
    def commit_with_one_bad_record(self, name: str, size: int, at: int, bad: Record) -> None:
        records: list[Record] = [*map(prompt, self.records(size)), receipt(size=size)]
        records.insert(at, bad)
        try:
            self.loop.run_until_complete(self.ledger.commit(name, records))
        except LedgerError:
            return
        raise AssertionError("a bad record was taken")

    @rule(plan=st.lists(st.tuples(names, sizes, st.none() | st.sampled_from(BAD)), min_size=2, max_size=6))
    def commit_together(self, plan: list[tuple[str, int, Record | None]]) -> None:
        async def scenario() -> list[BaseException | None]:
            return await asyncio.gather(*attempts, return_exceptions=True)

        prepared = [(name, self.records(size), bad) for name, size, bad in plan]
        attempts = [
            self.ledger.commit(name, [*map(prompt, texts), receipt(), *([bad] if bad else [])])
            for name, texts, bad in prepared
        ]
        outcomes = self.loop.run_until_complete(scenario())
        for (name, texts, bad), outcome in zip(prepared, outcomes, strict=True):
            assert isinstance(outcome, LedgerError) == (bad is not None), outcome
            if bad is None:
                self.expected[name] += texts
                self.receipts += 1

    @rule()
    def reopen(self) -> None:
        self.ledger.close()
        self.ledger = Ledger.open(f"{self.folder}/daedal.db")

    @invariant()
    def books_agree(self) -> None:
        for name, texts in self.expected.items():
            entries = self.ledger.reader.entries(name)
            assert [entry.sequence for entry in entries] == list(range(len(texts)))
            assert [entry.payload["content"][0]["text"] for entry in entries] == texts
        assert self.ledger.verify_receipts().count == self.receipts
        assert self.ledger.verify_receipts().broken_at is None

    def teardown(self) -> None:
        self.ledger.close()
        self.loop.close()
        shutil.rmtree(self.folder)


TestBooks = Books.TestCase
TestBooks.settings = settings(max_examples=12, stateful_step_count=12, deadline=None)
