"""Does the audit chain notice every change?"""

import asyncio
from hashlib import sha256
from pathlib import Path

import msgspec
import pytest

from daedal.ledger import Ledger, ReceiptCheck
from tests.ledger.sample import changed, committed, opened, receipt


@pytest.fixture
def chain(ledger: Ledger) -> Ledger:
    committed(ledger, "s1", [opened("s1")], *[[receipt("step", number=n)] for n in range(1, 6)])
    return ledger


def test_a_chain_that_nobody_touched_is_whole(chain: Ledger):
    assert chain.verify_receipts() == ReceiptCheck(count=5, broken_at=None)


def test_an_empty_chain_is_whole(ledger: Ledger):
    assert ledger.verify_receipts() == ReceiptCheck(count=0, broken_at=None)


def test_a_hash_covers_the_receipt_and_the_hash_before(chain: Ledger):
    rows = chain.reader.rows(
        "SELECT prev_hash, kind, session_id, turn_id, principal, body_json, created_at, hash FROM receipts ORDER BY id"
    )
    previous = ""
    for prev_hash, kind, session, turn, principal, body, created_at, found in rows:
        words = [previous, kind, session, turn, principal, msgspec.json.decode(body), created_at]
        assert prev_hash == previous
        assert found == sha256(msgspec.json.encode(words, order="deterministic")).hexdigest()
        previous = found


def test_the_order_of_keys_in_a_body_means_nothing(ledger: Ledger, path: Path):
    committed(ledger, "s1", [opened("s1"), receipt(b=1, a=2)])
    changed(path, """UPDATE receipts SET body_json = '{"a": 2, "b": 1}'""")
    assert ledger.verify_receipts().broken_at is None


TAMPERING = {
    "changed words": ("UPDATE receipts SET kind = 'other' WHERE id = 3", 3),
    "a changed body": ("""UPDATE receipts SET body_json = '{"number":9}' WHERE id = 2""", 2),
    "a body that is no JSON": ("UPDATE receipts SET body_json = 'x' WHERE id = 2", 2),
    "another principal": ("UPDATE receipts SET principal = 'person:eve' WHERE id = 1", 1),
    "another time": ("UPDATE receipts SET created_at = '2001-01-01 00:00:00' WHERE id = 4", 4),
    "one removed": ("DELETE FROM receipts WHERE id = 3", 4),
    "the first removed": ("DELETE FROM receipts WHERE id = 1", 2),
    "the last removed": ("DELETE FROM receipts WHERE id = 5", 5),
    "all removed": ("DELETE FROM receipts", 1),
    "one put in between": (
        "INSERT INTO receipts(kind, session_id, turn_id, principal, body_json, prev_hash, hash, created_at)"
        " SELECT kind, session_id, turn_id, principal, body_json, prev_hash, hash, created_at"
        " FROM receipts WHERE id = 5",
        6,
    ),
}


@pytest.mark.parametrize("case", TAMPERING)
def test_tampering_is_noticed_where_it_happened(case: str, chain: Ledger, path: Path):
    statement, where = TAMPERING[case]
    changed(path, statement)
    assert chain.verify_receipts().broken_at == where
    assert [finding.ok for finding in chain.health() if finding.check == "receipts"] == [False]


def test_a_failed_commit_leaves_no_gap_in_the_chain(ledger: Ledger):
    async def scenario():
        return await asyncio.gather(
            ledger.commit("a", [opened("a"), receipt()]),
            ledger.commit("b", [opened("b"), receipt(), opened("b")]),
            ledger.commit("c", [opened("c"), receipt()]),
            return_exceptions=True,
        )

    outcomes = asyncio.run(scenario())
    assert [outcome is None for outcome in outcomes] == [True, False, True]
    assert ledger.verify_receipts() == ReceiptCheck(count=2, broken_at=None)
