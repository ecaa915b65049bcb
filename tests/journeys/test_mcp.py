"""What does a person get from an MCP server? Its tools in a turn, through the same gate and onto the same record."""

import json
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from daedal.protocol.approvals import ApprovalAnswer, ApprovalDecision, ApprovalRequest
from daedal.protocol.inquiries import Chosen, InputAnswer, InputRequest
from daedal.protocol.wire import Request
from tests.journeys.test_asking import drive
from tests.journeys.test_bad_input import configure
from tests.journeys.test_hooks import heard, listening, saying, with_hooks
from tests.mcp.using import entry
from tests.toolbox.model_server import call, say
from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement
from tests.toolbox.wire_client import Child

ROOT = Path(__file__).parents[2]
PLUGIN = [sys.executable, str(ROOT / "examples" / "mcp_plugin" / "server.py")]
ODD = [sys.executable, str(ROOT / "tests" / "mcp" / "odd_server.py")]


@requirement("RX-05", "RX-06", "SD-16", "SD-16/ListMcpResources", "SD-16/ReadMcpResource")
def test_a_turn_uses_the_tools_and_the_resources_of_the_example_plugin(daedal: Daedal, model):
    assert daedal("mcp", "add", "example", "--", *PLUGIN).code == 0
    server = model(
        [
            call("mcp__example__wordcount", text="two words"),
            call("ListMcpResources"),
            call("ReadMcpResource", server="example", uri="notes://style"),
            call("ReadMcpResource", server="example", uri="notes://nowhere"),
            say("Two."),
        ]
    )
    run = daedal("exec", "How many words?", "--allow", "mcp__example__wordcount")
    assert run.code == 0, run.err
    counted, listed, read, missing = daedal.results()
    assert json.loads(counted["content"])["words"] == 2
    assert "notes://style" in [each["uri"] for each in json.loads(listed["content"])]
    assert json.loads(read["content"])["contents"][0]["text"]
    assert [result["is_error"] for result in (counted, listed, read, missing)] == [False, False, False, True]
    assert "mcp__example__wordcount" in json.dumps(server.requests[0].json)


@requirement("RX-05", "RX-10", "RX-11")
def test_only_a_tool_that_the_user_knows_to_read_only_needs_no_rule_outside_the_walls(daedal: Daedal, model):
    notes = daedal.root / "notes"
    known = entry("known", [*ODD, "fine"], trusted_read_only_tools=["act"])
    configure(daedal, known + entry("odd", [*ODD, "fine", str(notes)]))
    model([call("mcp__known__act"), call("mcp__odd__act"), say("No.")])
    assert daedal("exec", "Act.").code == 0
    read, acted = daedal.results()
    assert (read["is_error"], read["content"]) == (False, "acted")
    assert acted["is_error"]
    assert notes.read_text() == "started\n"


@requirement("RX-05", "SD-16")
def test_a_server_that_dies_in_a_turn_does_not_take_the_turn_with_it_and_its_tools_stay_listed(daedal: Daedal, model):
    configure(daedal, entry("odd", [*ODD, "dies"]))
    model([call("mcp__odd__act"), say("It broke.")])
    run = daedal("exec", "Act.", "--allow", "mcp__odd")
    assert (run.code, run.out.strip()) == (0, "It broke.")
    (result,) = daedal.results()
    assert result["is_error"]
    assert result["content"].startswith("[SDLC_INTERNAL] ")
    tools = {tool["name"]: tool for tool in json.loads(daedal("tools", "--json").out)}
    assert tools["mcp__odd__act"]["source"] == "odd"
    assert tools["Read"]["source"] == "built-in"
    assert "general-purpose" in tools["Agent"]["description"]


@requirement("RX-05", "SD-27")
def test_a_project_s_server_is_not_even_started_before_the_folder_is_trusted(daedal: Daedal, model):
    notes = daedal.root / "notes"
    servers = {"odd": {"command": ODD[0], "args": [*ODD[1:], "fine", str(notes)]}}
    (daedal.workspace / ".mcp.json").write_text(json.dumps({"mcpServers": servers}))
    model([call("mcp__odd__act"), say("Done.")], after="cycle")
    run = daedal("exec", "Act.", "--allow", "mcp__odd")
    assert "is not trusted" in run.err
    assert not notes.exists()
    assert daedal.results()[-1]["is_error"]
    assert daedal("trust", "--yes").code == 0
    daedal("exec", "Act.", "--allow", "mcp__odd")
    assert daedal.results()[-1]["content"] == "acted"


@requirement("RX-13", "RX-14")
def test_a_server_s_prompt_is_a_command_and_its_resource_a_reference(daedal: Daedal, model):
    configure(daedal, entry("example", PLUGIN))
    server = model([say("Done.")], after="repeat")
    with Child(daedal) as client:
        thread = client.hello().thread()
        client.turn(thread, "/mcp__example__summarise birds")
        assert "Summarise birds in one paragraph." in json.dumps(server.requests[-1].json)
        client.turn(thread, "Follow @example:notes://style please")
        assert "Short sentences. Plain words." in json.dumps(server.requests[-1].json)
        client.leave()


def addressed(asked: list[InputRequest], *answers: str) -> Callable[[Request], Awaitable[Any]]:
    async def answer(request: Request) -> Any:
        if isinstance(request.params, ApprovalRequest):
            return ApprovalAnswer(decision=ApprovalDecision.ACCEPT)
        asked.append(request.params)
        if not answers:
            return None
        return InputAnswer(
            answers={
                each.id: Chosen(answers=[text]) for each, text in zip(request.params.questions, answers, strict=False)
            }
        )

    return answer


@requirement("RX-05")
def test_what_a_server_asks_is_answered_by_the_person_and_hooks_hear_of_it(daedal: Daedal, model, monkeypatch):
    hooks = ("Elicitation", listening(daedal)), ("ElicitationResult", listening(daedal))
    with_hooks(daedal, *hooks, further=entry("odd", [*ODD, "asks"]))
    model([call("mcp__odd__act"), say("I see.")])
    asked: list[InputRequest] = []
    drive(daedal, monkeypatch, addressed(asked, "Main Street"))
    assert "The MCP server odd asks: Where do you live?" in asked[0].questions[0].question
    assert "accept" in daedal.results()[0]["content"]
    assert "Main Street" in daedal.results()[0]["content"]
    first, last = heard(daedal)
    assert (first["mcp_server_name"], first["message"]) == ("odd", "Where do you live?")
    assert (last["action"], list(last["content"].values())) == ("accept", ["Main Street"])


@requirement("RX-05")
def test_a_hook_answers_a_server_in_the_persons_place(daedal: Daedal, model, monkeypatch):
    hook = saying("Elicitation", action="cancel")
    with_hooks(daedal, ("Elicitation", hook), further=entry("odd", [*ODD, "asks"]))
    model([call("mcp__odd__act"), say("I see.")])
    asked: list[InputRequest] = []
    drive(daedal, monkeypatch, addressed(asked, "Main Street"))
    assert asked == []
    assert "cancel" in daedal.results()[0]["content"]


@requirement("RX-05")
def test_headless_nobody_answers_a_server_and_what_it_reports_is_seen_while_the_turn_goes_on(daedal: Daedal, model):
    configure(daedal, entry("curious", [*ODD, "asks"]) + entry("slow", [*ODD, "reports"]))
    model([call("mcp__curious__act"), call("mcp__slow__act"), say("I see.")])
    done = daedal("exec", "Act.", "--allow", "mcp__curious", "--allow", "mcp__slow")
    assert done.code == 0
    answered, reported = daedal.results()
    assert "decline" in answered["content"]
    assert reported["content"] == "reported"
    assert "… 1/2 halfway" in done.err


@requirement("SD-07", "RX-05")
def test_a_key_that_is_written_out_for_a_server_stays_out_of_the_ledger(daedal: Daedal, model):
    variables = {"API_TOKEN": "open-sesame-1234", "PLACE": "${HOME}"}
    configure(daedal, entry("odd", [*ODD, "environment"], env=variables))
    model([call("mcp__odd__act"), say("Hi.")], after="cycle")
    for _ in range(2):
        assert daedal("exec", "Act.", "--allow", "mcp__odd").code == 0
        got = json.loads(daedal.results()[-1]["content"])
        assert (got["API_TOKEN"], got["PLACE"]) == ("[REDACTED:API_TOKEN]", str(daedal.home))
    assert b"open-sesame-1234" not in daedal.database.read_bytes()
    ((kept,),) = daedal.rows("SELECT json FROM settings_snapshot WHERE scope = 'effective'")
    assert json.loads(kept)["plugins"][0]["env"] == {"API_TOKEN": "[REDACTED:API_TOKEN]", "PLACE": "${HOME}"}


@requirement("RX-05")
def test_a_server_that_never_answers_is_named_and_the_run_begins_without_it(daedal: Daedal, model):
    configure(daedal, "[tools]\nmcp_wait_seconds = 4\n" + entry("mute", ["sleep", "1000"]))
    model([say("Hello.")])
    run = daedal("exec", "Hello.")
    assert (run.code, run.out) == (0, "Hello.\n")
    assert "MCP servers that no session has met yet: mute" in run.err
    assert "because they do not answer: mute" in run.err
