"""Do the tools do what they say that touch no file? By the model and by hand; what counts is what has changed."""

import json
from typing import Any

import msgspec
import pytest

from tests.journeys.test_bad_input import configure
from tests.journeys.test_hands import by_hand
from tests.toolbox.model_server import ModelServer, call, calls, say
from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement

TODOS = [
    {"content": "Look", "status": "completed", "activeForm": "Looking"},
    {"content": "Write", "status": "in_progress", "activeForm": "Writing"},
]
PLAN = [
    {"step": "Look", "status": "completed", "activeForm": "Looking"},
    {"step": "Write", "status": "inProgress", "activeForm": "Writing"},
]
FETCHES = call("ToolSearch", query="select:WebFetch")


def tools(request: Any) -> list[str]:
    """The names of the tools that a request offers, whatever the wire."""
    return [tool.get("name") or tool["function"]["name"] for tool in request.json["tools"]]


def told(run: Any, method: str) -> list[Any]:
    return [line["params"] for line in run.lines if line.get("method") == method]


def verdicts(daedal: Daedal) -> list[tuple[str, str]]:
    return daedal.rows("SELECT tool_name, decision FROM tool_permission_log ORDER BY id")


@requirement("SD-16/TodoWrite")
def test_the_list_of_what_is_to_be_done_reaches_the_faces_and_the_record(daedal: Daedal, model):
    model([call("TodoWrite", todos=TODOS), say("Done.")])
    run = daedal("exec", "Go.", "--output-format", "stream-json")
    assert run.code == 0
    assert [update["plan"] for update in told(run, "turn/plan/updated")] == [PLAN]
    (result,) = daedal.results()
    assert (result["is_error"], result["content"]) == (False, "The list was updated: 2 tasks, 1 completed. Now: Write.")
    assert verdicts(daedal) == [("TodoWrite", "allow")]


@requirement("SD-16/TodoWrite")
def test_a_list_by_hand_is_kept_with_its_result(daedal: Daedal):
    done = by_hand(daedal, "TodoWrite", todos=TODOS)
    assert (done.code, done.json["is_error"]) == (0, False)
    assert by_hand(daedal, "TodoWrite", todos=[{"content": "Look"}]).code == 1
    assert verdicts(daedal) == [("TodoWrite", "allow")] * 2


@requirement("SD-16/EnterPlanMode", "SD-20")
def test_who_begins_to_plan_changes_nothing_and_is_shown_the_way_out(daedal: Daedal, model):
    server = model([call("EnterPlanMode"), call("Write", file_path="b", content="x"), say("Hm.")])
    assert daedal("exec", "Go.", "--approval", "yolo").code == 0
    assert daedal.rows("SELECT phase FROM conversations") == [("planning",)]
    assert not (daedal.workspace / "b").exists()
    before, after = tools(server.requests[0]), tools(server.requests[1])
    assert [name for name in after if name not in before] == ["ExitPlanMode"]


@requirement("SD-16/ExitPlanMode", "SD-20")
def test_outside_planning_no_plan_is_presented(daedal: Daedal):
    done = by_hand(daedal, "ExitPlanMode", plan="1. Write it.")
    assert done.code == 1
    assert "not in plan mode" in done.json["content"]
    assert daedal.rows("SELECT count(*) FROM plans") == [(0,)]


@requirement("SD-16/AskUserQuestion")
def test_a_question_by_hand_goes_unanswered_and_says_so(daedal: Daedal):
    options = [{"label": "Red", "description": "warm"}, {"label": "Blue", "description": "cold"}]
    done = by_hand(daedal, "AskUserQuestion", questions=[{"question": "Which?", "header": "C", "options": options}])
    assert done.code == 1
    assert "decide yourself" in done.json["content"]


@requirement("SD-16/Brief")
def test_a_message_is_shown_while_the_model_works(daedal: Daedal, model):
    (daedal.workspace / "report.md").write_text("x" * 2048)
    model([call("Brief", message="**Half** done.", attachments=["report.md"], status="proactive"), say("Done.")])
    run = daedal("exec", "Go.", "--output-format", "stream-json")
    items = [event["item"] for event in told(run, "item/completed")]
    messages = [item["text"] for item in items if item["type"] == "agentMessage"]
    assert messages == ["**Half** done.\n\n- `report.md` (2 KiB)", "Done."]
    assert verdicts(daedal) == [("Brief", "allow")]


@requirement("SD-16/Brief")
def test_a_file_elsewhere_is_not_shown_without_a_person(daedal: Daedal):
    daedal.env["TMPDIR"] = str(daedal.workspace)  # The temporary folder may be read, and this test lives in it.
    (daedal.home / "diary.txt").write_text("private")
    (daedal.workspace / "link").symlink_to(daedal.home / "diary.txt")
    for name in (str(daedal.home / "diary.txt"), "link"):
        assert by_hand(daedal, "Brief", message="See.", attachments=[name]).code == 1
    allowed = by_hand(daedal, "Brief", "--allow", "Read(~/diary.txt)", message="See.", attachments=["link"])
    assert (allowed.code, allowed.json["is_error"]) == (0, False)
    assert by_hand(daedal, "Brief", "--deny", "Read(link)", message="See.", attachments=["link"]).code == 1


@requirement("SD-16/Skill")
def test_without_skills_the_model_is_told_to_do_it_itself(daedal: Daedal, model):
    tool, given = "Skill", {"skill": "deploy"}
    server = model([call(tool, **given), say("Then I do it.")])
    assert daedal("exec", "Go.").code == 0
    (result,) = daedal.results()
    assert result["is_error"]
    assert "available: none" in result["content"]
    assert "available: none" in server.requests[1].body.decode()
    # Nobody had to be asked, and no session was begun for it.
    assert verdicts(daedal) == [(tool, "allow")]
    assert daedal.rows("SELECT count(*) FROM sessions") == [(1,)]
    assert by_hand(daedal, tool, **given).code == 1


@requirement("SD-16/ListMcpResources", "SD-16/ReadMcpResource")
def test_without_servers_there_are_no_resources_to_list_or_read(daedal: Daedal, model):
    reads = ("ReadMcpResource", {"server": "docs", "uri": "docs://guide"})
    model([calls(("ListMcpResources", {}), reads), say("Nothing there.")])
    assert daedal("exec", "Go.").code == 0
    listed, read = daedal.results()
    assert (listed["is_error"], listed["content"]) == (False, "[]")
    assert (read["is_error"], read["content"]) == (True, "There is no MCP server 'docs' here. Available: none.")
    assert by_hand(daedal, "ListMcpResources").json["content"] == "[]"
    assert by_hand(daedal, "ReadMcpResource", server="docs", uri="docs://guide").code == 1


WIRES = {
    "anthropic": ["--provider", "claude_code_subscription"],
    "chat": ["--provider", "openai_compatible"],
    "responses": ["--model", "acme/next-1"],
}


def on_wire(daedal: Daedal, server: ModelServer, wire: str, *, defer: bool) -> list[str]:
    """The options that make a run speak it."""
    responses = f"""
[[providers]]
name = "acme"
kind = "openai"
wire = "responses"
base_url = "{server.url}/v1"
model = "next-1"
api_key_env = "OPENAI_API_KEY"
"""
    configure(daedal, f"[tools]\ndefer = {str(defer).lower()}\n" + (responses if wire == "responses" else ""))
    return WIRES[wire]


@requirement("SD-16/ToolSearch")
@pytest.mark.parametrize("wire", WIRES)
def test_a_tool_that_was_looked_up_is_described_from_then_on_and_after_a_resume(daedal: Daedal, model, wire: str):
    server = model([FETCHES, say("Found."), say("Still.")])
    flags = on_wire(daedal, server, wire, defer=True)
    assert daedal("exec", "Go.", *flags).code == 0
    assert daedal("exec", "Again.", "--resume", daedal.session).code == 0
    assert [request.wire for request in server.requests] == [wire] * 3
    assert ["WebFetch" in tools(request) for request in server.requests] == [False, True, True]
    assert '"url"' in daedal.results()[0]["content"]
    assert "WebFetch" in server.requests[0].body.decode()  # by its name


@requirement("SD-16/ToolSearch")
def test_a_search_by_hand_finds_and_a_deferred_tool_is_called_without_one(daedal: Daedal, model):
    found = by_hand(daedal, "ToolSearch", query="+resource read").json["content"]
    assert [json.loads(line)["name"] for line in found.splitlines()] == ["ReadMcpResource", "ListMcpResources"]
    (daedal.workspace / "a.txt").write_text("a\n")
    model([call("Move", source_path="a.txt", destination_path="b.txt"), say("Done.")])
    assert daedal("exec", "Go.").code == 0
    assert (daedal.workspace / "b.txt").read_text() == "a\n"


@requirement("SD-16/ToolSearch")
@pytest.mark.parametrize("wire", WIRES)
def test_the_first_request_is_below_14_kilobytes(daedal: Daedal, model, wire: str):
    server = model([say("Hi.")])
    assert daedal("exec", "Hello.", *on_wire(daedal, server, wire, defer=True)).code == 0
    assert server.requests[0].wire == wire
    assert len(server.requests[0].body) < 14_000


@pytest.mark.parametrize("wire", WIRES)
def test_the_definitions_of_all_tools_fit_in_24_kilobytes(daedal: Daedal, model, wire: str):
    server = model([say("Hi.")])
    assert daedal("exec", "Hello.", *on_wire(daedal, server, wire, defer=False)).code == 0
    (request,) = server.requests
    assert {"Read", "Bash", "WebFetch", "Agent", "Skill", "ReadMcpResource", "Brief", "ToolSearch"} <= set(
        tools(request)
    )
    definitions = msgspec.json.decode(request.body, type=dict[str, msgspec.Raw])["tools"]
    assert len(bytes(definitions)) <= 24_000


def test_the_tools_of_a_folder_are_listed_with_where_they_come_from(daedal: Daedal):
    listed = {tool["name"]: tool for tool in daedal("tools", "--json").json}
    assert listed["WebFetch"]["deferred"]
    assert listed["WebFetch"]["input_schema"]["required"] == ["url", "prompt"]
    read = listed["Read"]
    assert (read["deferred"], read["enabled"], read["read_only"], read["source"]) == (False, True, True, "built-in")
    shown = daedal("tools")
    assert shown.code == 0
    assert len(shown.out.splitlines()) == len(listed) + 1


def test_what_settings_switch_off_is_listed_as_off(daedal: Daedal, model):
    configure(daedal, '[tools]\nenabled = ["Read", "WebFetch"]\n')
    listed = {tool["name"]: tool for tool in daedal("tools", "--json").json}
    assert [name for name, tool in listed.items() if tool["enabled"]] == ["Read", "WebFetch"]
    assert not any(tool["deferred"] for tool in listed.values())
    server = model([say("Hi.")])
    daedal("exec", "Hello.")
    assert tools(server.requests[0]) == ["Read", "WebFetch"]
    configure(daedal, '[tools]\nenabled = ["Raed"]\n')
    assert daedal("tools").code == 2


def test_a_project_that_nobody_trusts_switches_no_tools_off(daedal: Daedal):
    (daedal.workspace / "daedal.toml").write_text('[tools]\nenabled = ["Read"]\n')
    run = daedal("tools", "--json")
    assert all(tool["enabled"] for tool in run.json)
    assert "tools.enabled" in run.err
