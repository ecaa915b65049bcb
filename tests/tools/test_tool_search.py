"""Which tools does a search find, and what is the model told about them?"""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Raw

from daedal.protocol.model import ToolSpec
from daedal.tools import ToolSettings, Worlds
from daedal.tools.tool_search import ranked
from tests.tools.desk import Desk


def lines(content: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in content.splitlines() if line.startswith("{")]


def spec(name: str, description: str, *, is_deferred: bool = True) -> ToolSpec:
    schema = Raw(b'{"type":"object","properties":{"owner":{"type":"string"}}}')
    return ToolSpec(name=name, description=description, input_schema=schema, read_only=False, is_deferred=is_deferred)


SERVER = [
    spec("mcp__github__create_issue", "Opens an issue in a repository."),
    spec("mcp__github__list_issues", "Lists the issues of a repository."),
    spec("mcp__slack__send", "Sends a message to a channel."),
]


def test_tools_are_selected_by_name_with_all_that_a_call_needs(desk: Desk):
    outcome = desk.do("ToolSearch", query="select:WebFetch, brief")
    assert (outcome.is_error, outcome.loaded) == (False, ["WebFetch", "Brief"])
    fetch, brief = lines(outcome.content)
    assert fetch["name"] == "WebFetch"
    assert "url" in fetch["input_schema"]["properties"]
    assert str(brief["description"]).startswith("Shows the user a message")


def test_what_is_described_already_or_not_there_is_told(desk: Desk):
    outcome = desk.do("ToolSearch", query="select:Read,Nonsense,Move")
    assert outcome.loaded == ["Move"]
    assert "Read is described to you already: call it directly." in outcome.content
    assert "There is no tool 'Nonsense'." in outcome.content


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("web page", "WebFetch"),
        ("notebook", "NotebookEdit"),
        ("rename a file", "Move"),
        ("search the web", "WebSearch"),
        ("mcp resources", "ListMcpResources"),
        ("plan", "EnterPlanMode"),
    ],
)
def test_keywords_find_the_tool_that_is_meant(desk: Desk, query: str, first: str):
    assert desk.do("ToolSearch", query=query).loaded[0] == first


def test_a_word_that_must_occur_leaves_out_the_rest(tmp_path: Path):
    desk = Desk(tmp_path, worlds=Worlds(tools=lambda: SERVER))
    assert desk.do("ToolSearch", query="+github create issue").loaded == [
        "mcp__github__create_issue",
        "mcp__github__list_issues",
    ]
    assert desk.do("ToolSearch", query="+slack").loaded == ["mcp__slack__send"]
    assert desk.do("ToolSearch", query="+jira issue").loaded == []


def test_tools_that_came_later_are_found_too(tmp_path: Path):
    there: list[ToolSpec] = []
    desk = Desk(tmp_path, worlds=Worlds(tools=lambda: there))
    there += SERVER
    outcome = desk.do("ToolSearch", query="send message slack", max_results=1)
    assert outcome.loaded == ["mcp__slack__send"]
    assert '"owner"' in outcome.content


def test_not_more_are_found_than_are_wanted(desk: Desk):
    assert len(desk.do("ToolSearch", query="a file the user tools").loaded) == 5
    assert len(desk.do("ToolSearch", query="a file the user tools", max_results=2).loaded) == 2
    assert desk.do("ToolSearch", query="web", max_results=0).is_error


def test_nothing_found_is_told_with_what_there_is(desk: Desk):
    outcome = desk.do("ToolSearch", query="xylophone")
    assert (outcome.is_error, outcome.loaded) == (False, [])
    assert outcome.content.startswith("No matching deferred tools found. There are: NotebookEdit, Move, ")


def test_where_nothing_is_deferred_nothing_is_found(tmp_path: Path):
    desk = Desk(tmp_path, ToolSettings(defer=False))
    outcome = desk.do("ToolSearch", query="web")
    assert outcome.content == "No matching deferred tools found. All tools are described to you already."


@pytest.mark.parametrize("query", ["", "select:", "select: , "])
def test_a_search_for_nothing_is_refused(desk: Desk, query: str):
    assert desk.do("ToolSearch", query=query).is_error


@given(st.text(max_size=200))
def test_any_query_is_answered(query: str):
    found = ranked(query, SERVER)
    assert {tool.name for tool in found} <= {tool.name for tool in SERVER}
    assert len(found) == len({tool.name for tool in found})
