"""Does the search index equal the memories at every COMMIT, as the specified rebuild would make it?"""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from daedal.ledger import Ledger
from tests.ledger.sample import plain

REBUILD = (
    "DELETE FROM memories_fts",
    "INSERT INTO memories_fts(title, content, keywords, anticipated_queries)"
    " SELECT title, content, keywords, anticipated_queries FROM memories",
)
WORDS = ["tabs", "spaces", "running", "runs", "quick", "café"]
INDEX = "SELECT title, content, keywords, anticipated_queries FROM memories_fts ORDER BY 1, 2, 3, 4"


def answers(connection) -> list[object]:
    """All that a reader of the index can see: its rows, and what each word finds in which order of rank."""
    found: list[object] = [connection.execute(INDEX).fetchall()]
    for word in WORDS:
        ranked = "SELECT title, content, round(rank, 9) FROM memories_fts WHERE memories_fts MATCH ? ORDER BY 3, 1, 2"
        found.append(connection.execute(ranked, (word,)).fetchall())
    return found


def assert_equals_a_rebuild(path: Path) -> None:
    connection = plain(path)
    ours = answers(connection)
    connection.execute("BEGIN")
    for statement in REBUILD:
        connection.execute(statement)
    assert ours == answers(connection)
    connection.execute("ROLLBACK")
    connection.close()


text = st.none() | st.lists(st.sampled_from(WORDS), max_size=3).map(" ".join)
ids = st.sampled_from(["m1", "m2", "m3", "m4"])
titles = st.sampled_from(WORDS)
COLUMNS = "id, type, title, content, keywords, anticipated_queries, created_at, updated_at"
changes = st.one_of(
    st.tuples(
        st.sampled_from(
            [
                f"INSERT OR IGNORE INTO memories({COLUMNS}) VALUES (?, 't', ?, ?, ?, ?, 0, 0)",
                f"INSERT OR REPLACE INTO memories({COLUMNS}) VALUES (?, 't', ?, ?, ?, ?, 0, 0)",
                f"INSERT INTO memories({COLUMNS}) VALUES (?, 't', ?, ?, ?, ?, 0, 0)"
                " ON CONFLICT(id) DO UPDATE SET title = excluded.title, keywords = excluded.keywords",
            ]
        ),
        st.tuples(ids, titles, text, text, text),
    ),
    st.tuples(st.just("UPDATE memories SET title = ?2, content = ?3 WHERE id = ?1"), st.tuples(ids, titles, text)),
    st.tuples(st.just("UPDATE OR REPLACE memories SET id = ?2 WHERE id = ?1"), st.tuples(ids, ids)),
    st.tuples(st.just("UPDATE memories SET access_count = access_count + 1 WHERE id = ?"), st.tuples(ids)),
    st.tuples(st.just("DELETE FROM memories WHERE id = ?"), st.tuples(ids)),
    st.tuples(st.just("DELETE FROM memories"), st.just(())),
)


@settings(max_examples=25, deadline=None)
@given(plan=st.lists(changes, max_size=12))
def test_any_change_leaves_the_index_as_a_rebuild_would(plan, tmp_path_factory):
    path = tmp_path_factory.mktemp("memories") / "daedal.db"
    ledger = Ledger.open(str(path))
    operator = plain(path)
    for statement, values in plan:
        operator.execute(statement, values)
    operator.close()
    assert_equals_a_rebuild(path)
    assert [finding.ok for finding in ledger.health() if finding.check == "memory_index"] == [True]
    ledger.close()


def test_a_change_that_is_rolled_back_leaves_the_index_alone(ledger: Ledger, path: Path):
    operator = plain(path)
    operator.execute(f"INSERT INTO memories({COLUMNS}) VALUES ('m', 't', 'tabs', NULL, NULL, NULL, 0, 0)")
    operator.execute("BEGIN")
    operator.execute("UPDATE memories SET title = 'spaces'")
    operator.execute("ROLLBACK")
    operator.close()
    assert_equals_a_rebuild(path)


def test_one_write_costs_the_same_however_many_memories_there_are(ledger: Ledger, path: Path):
    operator = plain(path)
    insert = f"INSERT INTO memories({COLUMNS}) VALUES (?, 't', 'tabs and more', NULL, NULL, NULL, 0, 0)"
    steps: list[int] = []

    def cost(name: str) -> int:
        steps.clear()
        operator.execute(insert, (name,))
        operator.execute("UPDATE memories SET content = 'x' WHERE id = ?", (name,))
        return len(steps)

    operator.set_progress_handler(lambda: steps.append(1) and None, 10)
    early = cost("early")
    operator.execute("BEGIN")
    operator.executemany(insert, [(f"m{number}",) for number in range(2000)])
    operator.execute("COMMIT")
    assert cost("late") <= early * 2
    operator.close()


@pytest.mark.parametrize("statement", ["DELETE FROM memories_fts", "UPDATE memories_fts SET title = 'other'"])
def test_an_index_that_another_program_changed_is_noticed(statement: str, ledger: Ledger, path: Path):
    operator = plain(path)
    operator.execute(f"INSERT INTO memories({COLUMNS}) VALUES ('m', 't', 'tabs', NULL, NULL, NULL, 0, 0)")
    operator.execute(statement)
    operator.close()
    (finding,) = [finding for finding in ledger.health() if finding.check == "memory_index"]
    assert not finding.ok
    assert "rows: 1" in finding.detail
