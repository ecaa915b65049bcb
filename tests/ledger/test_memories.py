"""Is what was remembered found again, corrected and forgotten, with an index that always agrees?"""

import asyncio
import sqlite3
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from daedal.ledger import ArchivedMemory, Ledger, MemoryDraft, MemoryRefused, StoredMemory
from tests.ledger.sample import changed, plain
from tests.ledger.test_memory_index import assert_equals_a_rebuild
from tests.toolbox.requirement import requirement


def kept(ledger: Ledger, title: str, content: str = "", **more: Any) -> StoredMemory:
    return asyncio.run(ledger.memories.remember(MemoryDraft(title=title, content=content, **more)))


def titles(found: list[StoredMemory]) -> list[str]:
    return [memory.title for memory in found]


@requirement("SD-26")
def test_a_memory_is_a_row_of_the_specified_table(ledger: Ledger, path: Path):
    before = int(time.time())
    memory = kept(ledger, "  Deploy\nkey ", "Lives in the vault.", keywords="vault, key", project_scope="/project")
    connection = plain(path)
    row = connection.execute("SELECT id, type, title, content, keywords, project_scope FROM memories").fetchone()
    connection.close()
    assert row == (memory.id, "project", "Deploy key", "Lives in the vault.", "vault, key", "/project")
    assert before <= memory.created_at == memory.updated_at <= time.time()
    assert (memory.correction_count, memory.access_count, memory.last_accessed, memory.attention_score) == (
        1,
        0,
        None,
        0.5,
    )
    assert ledger.memories.get(memory.id) == memory


@requirement("SD-26", "RX-09")
def test_the_best_memory_comes_first_and_what_shares_only_a_common_word_does_not_come(ledger: Ledger):
    for number in range(20):
        kept(ledger, f"Note {number}", "The build of the project uses the usual flags.")
    kept(ledger, "Flaky test", "The upload test fails on Mondays, restart the build.")
    kept(ledger, "Uploads", "Uploaded files are kept for a week.")
    assert titles(ledger.memories.search("the upload build", limit=10)) == ["Uploads", "Flaky test"]
    assert titles(ledger.memories.search("mondays", limit=10)) == ["Flaky test"]
    assert len(ledger.memories.search("the usual flags", limit=10)) == 10


def test_what_a_memory_was_written_to_be_found_by_counts_for_more(ledger: Ledger):
    for number in range(5):
        kept(ledger, f"Other {number}", "Nothing of interest.")
    kept(ledger, "In passing", "Among other things it says rollback once, in a sentence that is rather long.")
    kept(ledger, "Release", "Call Ada.", anticipated_queries="how do I do a rollback?")
    assert titles(ledger.memories.search("rollback", limit=5)) == ["Release", "In passing"]


def test_memories_of_other_projects_are_left_out_where_one_project_is_meant(ledger: Ledger):
    kept(ledger, "Tabs here", project_scope="/here")
    kept(ledger, "Tabs there", project_scope="/there")
    kept(ledger, "Tabs everywhere", project_scope=None)
    memories = ledger.memories
    assert sorted(titles(memories.search("tabs", project="/here", limit=9))) == ["Tabs everywhere", "Tabs here"]
    assert sorted(titles(memories.listed(project="/there", limit=9))) == ["Tabs everywhere", "Tabs there"]
    assert titles(memories.listed(limit=9)) == ["Tabs everywhere", "Tabs there", "Tabs here"]


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(query=st.one_of(st.text(), st.text(alphabet='"*()^:+-{}ANDORNEAT .\0\ud800é'), st.just('"' * 99)))
def test_no_question_is_a_mistake(ledger: Ledger, query: str):
    assert ledger.memories.search(query, limit=3) == []
    assert ledger.history.search(query, limit=3).entries == []


@pytest.mark.parametrize(
    "query", ["tabs AND", 'say "tabs', "tabs*", "(tabs)", "NEAR(tabs)", "title:tabs", "TABS!", "tabs\0x"]
)
def test_whatever_stands_around_a_word_it_finds_what_it_says(ledger: Ledger, query: str):
    kept(ledger, "Indentation", "We use tabs.")
    assert titles(ledger.memories.search(query, limit=3)) == ["Indentation"]


def test_words_in_quotes_are_a_phrase_and_a_star_is_the_rest_of_a_word(ledger: Ledger):
    kept(ledger, "One", "red green blue")
    kept(ledger, "Two", "green red blue configuration")
    assert titles(ledger.memories.search('"red green"', limit=3)) == ["One"]
    assert titles(ledger.memories.search("confi*", limit=3)) == ["Two"]
    assert ledger.memories.search("confi", limit=3) == []


def test_a_correction_changes_what_it_names_and_counts(ledger: Ledger):
    memory = kept(ledger, "Port", "8080", keywords="server")
    after = asyncio.run(ledger.memories.correct(memory.id, MemoryDraft(content="9090")))
    assert (after.title, after.content, after.keywords, after.correction_count) == ("Port", "9090", "server", 2)
    assert titles(ledger.memories.search("9090", limit=3)) == ["Port"]
    assert ledger.memories.search("8080", limit=3) == []


@requirement("RX-09")
def test_what_is_forgotten_is_found_no_more_but_stays_in_the_archive(ledger: Ledger, path: Path):
    memory = kept(ledger, "Port", "8080")
    gone = asyncio.run(ledger.memories.forget(memory.id))
    assert isinstance(gone, ArchivedMemory)
    assert (gone.id, gone.title, gone.content) == (memory.id, "Port", "8080")
    assert ledger.memories.search("port", limit=3) == ledger.memories.listed(limit=3) == []
    assert ledger.memories.get(memory.id) is None
    assert ledger.memories.archived(limit=3) == [ledger.memories.find(memory.id)] == [gone]
    assert_equals_a_rebuild(path)


@pytest.mark.parametrize(
    ("draft", "why"),
    [
        (MemoryDraft(content="x"), "needs a title"),
        (MemoryDraft(title=" \n"), "needs a title"),
        (MemoryDraft(title="x" * 201), "title has 201 characters, and 200 are the most"),
        (MemoryDraft(title="x", content="y" * 8001), "content has 8001 characters"),
        (MemoryDraft(title="x", keywords="y" * 2001), "keywords has 2001 characters"),
        (MemoryDraft(title="PORT", content="another"), "is called “PORT” already"),
    ],
)
def test_what_cannot_be_kept_is_said_and_leaves_nothing(ledger: Ledger, draft: MemoryDraft, why: str):
    memory = kept(ledger, "Port", "8080")
    with pytest.raises(MemoryRefused, match=why):
        asyncio.run(ledger.memories.remember(draft))
    assert ledger.memories.listed(limit=9) == [memory]


def test_a_memory_that_is_not_there_can_be_neither_changed_nor_forgotten(ledger: Ledger):
    for change in (ledger.memories.correct("m-x", MemoryDraft(content="x")), ledger.memories.forget("m-x")):
        with pytest.raises(MemoryRefused, match="no memory m-x"):
            asyncio.run(change)
    with pytest.raises(MemoryRefused, match="no memory m-x"):
        ledger.memories.find("m-x")


def test_an_id_may_be_shortened_while_only_one_begins_so(ledger: Ledger, path: Path):
    for name in ("ab1", "ab2"):
        changed(
            path,
            f"INSERT INTO memories(id, type, title, created_at, updated_at) VALUES ('{name}', 't', '{name}', 0, 0)",
        )
    assert ledger.memories.find("ab1").title == "ab1"
    with pytest.raises(MemoryRefused, match="several memories begin with ab: ab1, ab2"):
        ledger.memories.find("ab")


def test_rows_that_somebody_else_wrote_are_read_whatever_they_hold(ledger: Ledger, path: Path):
    changed(
        path,
        "INSERT INTO memories(id, type, title, content, correction_count, created_at, updated_at, attention_score)"
        " VALUES ('odd', 5, x'6869', NULL, NULL, 'today', 9e999, 'high')",
    )
    (memory,) = ledger.memories.listed(limit=2)
    assert (memory.type, memory.title, memory.content, memory.created_at, memory.updated_at) == ("5", "hi", None, 0, 0)


changes = st.lists(
    st.tuples(
        st.sampled_from(["remember", "correct", "forget", "insert", "update", "delete"]),
        st.integers(0, 5),
        st.sampled_from(["tabs", "spaces", "running quick", "café"]),
    ),
    max_size=15,
)


@requirement("SD-26")
@settings(max_examples=15, deadline=None)
@given(plan=changes)
def test_the_index_agrees_after_any_changes_by_us_and_by_others(plan: Any, tmp_path_factory: pytest.TempPathFactory):
    path = tmp_path_factory.mktemp("memories") / "daedal.db"
    ledger = Ledger.open(str(path))
    for action, number, word in plan:
        ids = [memory.id for memory in ledger.memories.listed(limit=99)]
        one = ids[number % len(ids)] if ids else "none"
        try:
            match action:
                case "remember":
                    kept(ledger, f"{word} {number}", word)
                case "correct":
                    asyncio.run(ledger.memories.correct(one, MemoryDraft(content=word)))
                case "forget":
                    asyncio.run(ledger.memories.forget(one))
                case "insert":
                    columns = "id, type, title, created_at, updated_at"
                    changed(
                        path, f"INSERT OR REPLACE INTO memories({columns}) VALUES ('o{number}', 't', '{word}', 0, 0)"
                    )
                case "update":
                    changed(path, f"UPDATE memories SET keywords = '{word}' WHERE id = '{one}'")
                case _:
                    changed(path, f"DELETE FROM memories WHERE id = '{one}'")
        except MemoryRefused:
            continue
    assert_equals_a_rebuild(path)
    assert [finding.ok for finding in ledger.health() if finding.check == "memory_index"] == [True]
    ledger.close()


def test_one_more_memory_costs_the_same_however_many_there_are(path: Path, monkeypatch: pytest.MonkeyPatch):
    steps: list[int] = []
    connect = sqlite3.connect

    def watched(*arguments: Any, **options: Any) -> sqlite3.Connection:
        connection = connect(*arguments, **options)
        connection.set_progress_handler(lambda: steps.append(1) and None, 10)
        return connection

    monkeypatch.setattr(sqlite3, "connect", watched)
    ledger = Ledger.open(str(path))

    def cost(title: str) -> int:
        steps.clear()
        kept(ledger, title, "It uses tabs.")
        return len(steps)

    kept(ledger, "The first", "opens what there is to open")
    early = cost("early")
    operator = plain(path)
    operator.execute("BEGIN")
    operator.executemany(
        "INSERT INTO memories(id, type, title, content, created_at, updated_at) VALUES (?1, 't', ?1, 'tabs', 0, 0)",
        [(f"o{number}",) for number in range(10_000)],
    )
    operator.execute("COMMIT")
    operator.close()
    assert cost("late") <= early * 2
    ledger.close()
