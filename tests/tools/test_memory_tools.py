"""Can the model look back, and leave something for later? With a real ledger behind the tools."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from daedal.ledger import Ledger, MemoryDraft
from daedal.tools import Worlds
from tests.ledger.sample import answer, committed, opened, prompt, result, use
from tests.toolbox.requirement import requirement
from tests.tools.desk import Desk


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    ledger = Ledger.open(str(tmp_path / "daedal.db"))
    yield ledger
    ledger.close()


@pytest.fixture
def desk(tmp_path: Path, ledger: Ledger) -> Desk:
    return Desk(tmp_path, worlds=Worlds(memories=lambda: ledger.memories, history=lambda: ledger.history))


def kept(ledger: Ledger, title: str, content: str = "", scope: str | None = None) -> str:
    draft = MemoryDraft(title=title, content=content, project_scope=scope)
    return asyncio.run(ledger.memories.remember(draft)).id


@requirement("RX-09")
def test_what_is_remembered_is_found_listed_and_read_whole(desk: Desk, ledger: Ledger):
    told = desk.do(
        "remember",
        title="Deploy key",
        content="Lives in the vault.\nAsk Ada.",
        type="reference",
        keywords=["vault", " ssh  key "],
        anticipated_queries=["where is the key?"],
        concept_tags=["deploy"],
    )
    (memory,) = ledger.memories.listed(limit=2)
    assert (memory.type, memory.project_scope) == ("reference", desk.workspace)
    assert (memory.keywords, memory.anticipated_queries, memory.concept_tags) == (
        "vault, ssh key",
        "where is the key?",
        "deploy",
    )
    head = f"{memory.id} · Deploy key (reference, this project, "
    assert told.content.startswith(f"Remembered: {head}")
    for arguments in ({"query": "ssh"}, {}, {"operation": "list"}):
        shown = desk.do("memory", **arguments).content
        assert shown.startswith(head)
        assert shown.endswith(")\n  Lives in the vault. Ask Ada.")
    whole = desk.do("memory", id=memory.id).content
    assert whole.startswith(head)
    assert "Lives in the vault.\nAsk Ada.\nKeywords: vault, ssh key\nAnticipated queries: where is the key?" in whole
    (memory,) = ledger.memories.listed(limit=2)
    assert memory.access_count == 1
    assert memory.last_accessed is not None


def test_a_memory_for_everywhere_belongs_to_no_project(desk: Desk, ledger: Ledger):
    desk.do("remember", title="Language", content="Answer in French.", scope="global")
    (memory,) = ledger.memories.listed(limit=2)
    assert memory.project_scope is None
    kept(ledger, "Elsewhere", "Answer in verse.", "/elsewhere")
    assert "Elsewhere" not in desk.do("memory", query="answer").content
    assert "(project, project /elsewhere, " in desk.do("memory", query="answer", scope="global").content


def test_an_id_corrects_a_memory_and_leaves_the_rest_as_it_was(desk: Desk, ledger: Ledger):
    memory_id = kept(ledger, "Port", "8080", "/elsewhere")
    told = desk.do("remember", id=memory_id, title="Port", content="9090")
    assert told.content.startswith(f"Corrected: {memory_id} · Port (project, project /elsewhere, ")
    memory = ledger.memories.get(memory_id)
    assert memory is not None
    assert (memory.content, memory.correction_count) == ("9090", 2)


@requirement("RX-09")
def test_to_forget_needs_the_title_that_the_user_was_shown(desk: Desk, ledger: Ledger):
    memory_id = kept(ledger, "Never push to main", "Ask first.")
    wrong = desk.do("forget", id=memory_id, title="An old note")
    assert wrong.is_error
    assert "is still there" in wrong.content
    assert ledger.memories.get(memory_id) is not None
    told = desk.do("forget", id=memory_id, title="never push to  main")
    assert told.content.startswith(f"Forgotten: {memory_id} · Never push to main.")
    assert ledger.memories.get(memory_id) is None
    assert desk.do("memory", query="push").content.startswith("No memory speaks of this.")


@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        ("remember", {"title": " ", "content": "x"}, "a memory needs a title"),
        ("remember", {"title": "x" * 201, "content": "x"}, "InputValidationError"),
        ("remember", {"title": "Port", "content": "x", "scope": "global"}, "is called “Port” already"),
        ("remember", {"title": "Port", "content": "x", "id": "m-none"}, "There is no memory 'm-none'"),
        ("remember", {"title": "x", "content": "x", "keywords": ["y"] * 21}, "InputValidationError"),
        ("forget", {"id": "m-none", "title": "x"}, "There is no memory 'm-none'"),
        ("forget", {"id": "m-none"}, "missing key `title`"),
        ("memory", {"operation": "read"}, "There is no memory ''"),
        ("memory", {"operation": "search", "query": " "}, "A search needs words"),
        ("memory", {"limit": 51}, "InputValidationError"),
        ("history", {}, "A search needs words"),
        ("history", {"operation": "around"}, "needs `entry`"),
        ("history", {"entry": 77}, "there is no entry 77"),
        ("history", {"entry": 2**80}, "InputValidationError"),
    ],
)
def test_what_cannot_be_done_is_an_answer(
    desk: Desk, ledger: Ledger, tool: str, arguments: dict[str, object], said: str
):
    kept(ledger, "Port", "8080")
    outcome = desk.do(tool, **arguments)
    assert outcome.is_error
    assert said in outcome.content


@pytest.mark.parametrize("query", ['"', "AND", "*", "a OR", "né(", "\0", "\ud800", "🙂", "x" * 5000])
def test_no_query_is_a_mistake(desk: Desk, query: str):
    assert desk.do("memory", query=query).content.startswith("No memory speaks of this.") or not query.strip()
    assert desk.do("history", query=query).content.startswith("No entry speaks of this.") or not query.strip()


@requirement("RX-09")
def test_history_shows_hits_and_then_what_stands_around_one(desk: Desk, ledger: Ledger):
    long = "noise " * 400 + "the upload_token was wrong " + "noise " * 400
    committed(
        ledger,
        "s1",
        [opened("s1", project=desk.workspace), prompt("Why does the upload fail?")],
        [answer("I look."), use("c1", file_path="/a.py"), result("c1", long), answer("It was the token.")],
    )
    shown = desk.do("history", query="upload_token").content
    assert shown.startswith("#4 20")
    assert " result · session s1\n  …" in shown
    assert "the upload_token was wrong" in shown
    assert len(shown) < 500
    window = desk.do("history", entry=4, before=1, after=1).content
    assert [line.partition(" ")[0] for line in window.splitlines() if line.startswith("#")] == ["#3", "#4", "#5"]
    assert window.endswith("It was the token.")
    assert desk.do("history", operation="around", entry="3", after=1, before=0).content.endswith("more characters)")


def test_history_of_other_projects_is_searched_on_request_and_without_what_looks_like_a_secret(
    desk: Desk, ledger: Ledger
):
    secret = "ghp_" + "a1b2c3d4e5" * 3
    committed(ledger, "s1", [opened("s1", project="/elsewhere"), prompt(f"The zebra key is {secret}.")])
    committed(ledger, "s2", [opened("s2", project=desk.workspace), prompt("The quagga key is 42.")])
    assert desk.do("history", query="zebra").content.startswith("No entry speaks of this.")
    found = desk.do("history", query="zebra", scope="global").content
    assert "session s1 · /elsewhere" in found
    assert secret not in found
    assert secret not in desk.do("history", entry=1).content
    assert "quagga key is 42" in desk.do("history", query="quagga").content


def test_where_nothing_is_kept_the_tools_say_so(tmp_path: Path):
    bare = Desk(tmp_path)
    for tool, arguments in (
        ("memory", {}),
        ("remember", {"title": "x", "content": "y"}),
        ("forget", {"id": "x", "title": "y"}),
        ("history", {"query": "x"}),
    ):
        outcome = bare.do(tool, **arguments)
        assert (outcome.is_error, outcome.content.partition(".")[0]) == (True, "Nothing is kept between sessions here")


def test_a_ledger_that_cannot_be_written_is_said_to_the_model(tmp_path: Path, ledger: Ledger):
    looking = Ledger.open(ledger.path, read_only=True)
    desk = Desk(tmp_path, worlds=Worlds(memories=lambda: looking.memories))
    outcome = desk.do("remember", title="x", content="y")
    looking.close()
    assert outcome.is_error
    assert outcome.content.startswith("[SDLC_INTERNAL] ")
