"""Is what was said and done in any session found again, quickly and without any commit paying for it?"""

from pathlib import Path

import pytest

from daedal.ledger import Ledger
from daedal.ledger.history_index import STEP_ENTRIES
from daedal.protocol.errors import UsageError
from daedal.protocol.records import Entry, EntryType
from tests.ledger.sample import answer, changed, committed, opened, plain, prompt, result, use
from tests.ledger.test_migrations import restored
from tests.toolbox.requirement import requirement


def found(ledger: Ledger, query: str, project: str | None = None, limit: int = 10) -> list[str]:
    return [entry.text for entry in ledger.history.search(query, project=project, limit=limit).entries]


def searching(call: str, name: str, query: str) -> Entry:
    payload = {"id": call, "name": name, "input": {"query": query}}
    return Entry(entry_type=EntryType.TOOL_USE, payload=payload, turn_id="t1")


@pytest.fixture
def story(ledger: Ledger) -> Ledger:
    committed(
        ledger,
        "s1",
        [opened("s1"), prompt("The upload fails on Mondays.")],
        [answer("I look at it."), use("call-1", file_path="/project/upload.py", pattern="retry_budget")],
        [result("call-1", "def upload(): retry_budget = 3"), answer("The budget of retries was used up.")],
    )
    committed(ledger, "s2", [opened("s2", project="/other"), prompt("Rename the widget."), answer("Renamed.")])
    return ledger


@requirement("RX-09")
def test_prompts_answers_calls_and_results_of_all_sessions_are_found(story: Ledger):
    assert found(story, "mondays") == ["The upload fails on Mondays."]
    assert found(story, "renaming") == ["Renamed.", "Rename the widget."]
    assert found(story, "retry_budget") == ["def upload(): retry_budget = 3", "Read\n/project/upload.py\nretry_budget"]
    assert found(story, "nowhere") == found(story, "") == []


def test_of_one_project_only_its_sessions_are_searched(story: Ledger):
    assert found(story, "widget", "/other") == ["Rename the widget."]
    assert found(story, "widget", "/project") == []


@requirement("RX-09")
def test_what_stands_around_a_hit_can_be_read(story: Ledger):
    (hit,) = story.history.search("mondays", limit=1).entries
    assert (hit.session_id, hit.sequence, hit.kind, hit.project_dir) == ("s1", 0, "user", "/project")
    window = story.history.around(hit.id + 2, before=1, after=1)
    assert [(entry.sequence, entry.kind) for entry in window] == [(1, "assistant"), (2, "tool_use"), (3, "tool_result")]
    assert [entry.session_id for entry in story.history.around(hit.id, before=9, after=99)] == ["s1"] * 5
    with pytest.raises(UsageError, match="no entry 999"):
        story.history.around(999, before=1, after=1)


def test_a_commit_leaves_the_index_alone_and_the_next_search_catches_up(story: Ledger, path: Path):
    def indexed() -> tuple[int, int]:
        connection = plain(path)
        row = connection.execute("SELECT low, high FROM history_indexed").fetchone()
        connection.close()
        return row

    assert indexed() == (1, 0)
    assert found(story, "mondays")
    assert indexed() == (1, 7)
    committed(story, "s1", [prompt("Now the downloads.")])
    assert indexed() == (1, 7)
    assert found(story, "downloads") == ["Now the downloads."]
    assert indexed() == (1, 8)


def test_a_search_does_not_find_itself_or_what_searches_brought(story: Ledger):
    committed(
        story,
        "s1",
        [
            searching("h1", "history", "mondays"),
            searching("h2", "memory", "mondays"),
            searching("h3", "Grep", "mondays"),
        ],
        [result("h1", "mondays again"), result("h2", "mondays once more"), result("h3", "mondays.txt")],
    )
    assert sorted(found(story, "mondays")) == ["Grep\nmondays", "The upload fails on Mondays.", "mondays.txt"]


@pytest.mark.parametrize("version", [1, 5])
def test_what_was_said_before_there_was_an_index_is_found_too(version: int, path: Path):
    restored(version, path)
    ledger = Ledger.open(str(path))
    assert found(ledger, "bug") == ["Fix the bug."]
    ledger.close()


def test_old_entries_are_indexed_from_the_newest_down_and_in_small_steps(ledger: Ledger, path: Path):
    count = 2 * STEP_ENTRIES + 10
    committed(ledger, "s", [opened("s"), *(prompt(f"word{number}x") for number in range(count))])
    changed(path, f"UPDATE history_indexed SET low = {count + 1}, high = {count}")
    steps: list[int] = []

    def after_one_step() -> bool:
        steps.append(1)
        return len(steps) > 1

    first = ledger.history.search("word0x", limit=3, is_over=after_one_step)
    assert (first.entries, first.is_complete) == ([], False)
    changed(
        path,
        f"INSERT INTO transcript_entries(session_id, sequence, entry_type, payload_json) SELECT session_id,"
        f" {count}, 'user', payload_json FROM transcript_entries WHERE sequence = 0",
    )
    found_all = ledger.history.search("word0x", limit=3)
    assert ([entry.sequence for entry in found_all.entries], found_all.is_complete) == ([count, 0], True)
    assert found(ledger, f"word{count - 1}x") == [f"word{count - 1}x"]


def test_a_question_of_common_words_is_answered_by_the_newest(ledger: Ledger):
    many = [prompt(f"common ground {number}", turn="t") for number in range(2100)]
    committed(ledger, "s", [opened("s"), *many, prompt("common rare ground")])
    committed(ledger, "o", [opened("o", project="/other"), prompt("common elsewhere")])
    assert found(ledger, "common ground", "/project", 2) == ["common rare ground", "common ground 2099"]
    assert found(ledger, "common rare", None, 2) == ["common rare ground"]
    assert found(ledger, "common", "/other") == ["common elsewhere"]


def test_two_ledgers_that_search_at_once_index_every_entry_once(story: Ledger, path: Path):
    other = Ledger.open(str(path))
    assert found(other, "mondays") == found(story, "mondays") == ["The upload fails on Mondays."]
    other.close()


def test_whoever_may_only_look_finds_what_is_indexed(story: Ledger, path: Path):
    looking = Ledger.open(str(path), read_only=True)
    unseen = looking.history.search("mondays", limit=3)
    assert (unseen.entries, unseen.is_complete) == ([], False)
    assert found(story, "mondays")
    assert found(looking, "mondays") == ["The upload fails on Mondays."]
    looking.close()


def test_while_somebody_else_writes_what_is_indexed_is_searched(story: Ledger, path: Path):
    assert found(story, "mondays")
    committed(story, "s1", [prompt("Now the mondays downloads.")])
    other = Ledger.open(str(path), busy_timeout_ms=20)
    writer = plain(path)
    writer.execute("BEGIN IMMEDIATE")
    seen = other.history.search("mondays", limit=3)
    assert ([entry.text for entry in seen.entries], seen.is_complete) == (["The upload fails on Mondays."], False)
    writer.close()
    assert len(found(other, "mondays")) == 2
    other.close()


def test_damaged_rows_and_rows_that_are_gone_hide_nothing(story: Ledger, path: Path):
    changed(
        path,
        "UPDATE transcript_entries SET payload_json = '{\"content\":[{}]}' WHERE sequence = 1",
        "UPDATE transcript_entries SET payload_json = x'ff' WHERE sequence = 4 AND session_id = 's1'",
    )
    assert sorted(found(story, "upload")) == [
        "Read\n/project/upload.py\nretry_budget",
        "The upload fails on Mondays.",
        "def upload(): retry_budget = 3",
    ]
    changed(path, "DELETE FROM transcript_entries WHERE sequence = 0")
    assert found(story, "mondays") == []


def test_what_was_typed_is_found_where_the_model_was_given_something_else(ledger: Ledger):
    payload = {"uuid": "u", "content": [{"type": "text", "text": "Review src thoroughly."}]}
    shown = Entry(entry_type=EntryType.USER, payload=payload, turn_id="t", extra={"shown": "/inspect src"})
    committed(ledger, "s", [opened("s"), shown])
    assert found(ledger, "inspect") == ["/inspect src\nReview src thoroughly."]
