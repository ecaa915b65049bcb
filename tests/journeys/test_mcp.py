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
from tests.journeys.test_hooks import heard, listening, saying, with_hooks
from tests.toolbox.model_server import call, say
from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement

ROOT = Path(__file__).parents[2]
PLUGIN = [sys.executable, str(ROOT / "examples" / "mcp_plugin" / "server.py")]
PROPER = [sys.executable, str(ROOT / "tests" / "mcp" / "sdk_server.py")]
ODD = [sys.executable, str(ROOT / "tests" / "mcp" / "odd_server.py")]


@requirement("RX-05", "RX-06", "SD-16")
def test_a_turn_uses_the_example_plugin(daedal: Daedal, model):
    assert daedal("mcp", "add", "example", "--", *PLUGIN).code == 0
    server = model([call("mcp__example__wordcount", text="two words"), say("Two.")])
    run = daedal("exec", "How many words?", "--allow", "mcp__example__wordcount")
    assert run.code == 0, run.err
    (result,) = daedal.results()
    assert (result["is_error"], json.loads(result["content"])["words"]) == (False, 2)
    assert "mcp__example__wordcount" in json.dumps(server.requests[0].json)


@requirement("RX-05", "RX-10")
def test_without_a_rule_nobody_can_be_asked_for_a_tool_that_works_outside_the_walls(daedal: Daedal, model):
    assert daedal("mcp", "add", "example", "--", *PLUGIN).code == 0
    model([call("mcp__example__echo", text="parrot"), say("No.")])
    assert daedal("exec", "Echo.").code == 0
    (result,) = daedal.results()
    assert result["is_error"]
    assert "parrot" not in result["content"]


@requirement("RX-05", "RX-11")
def test_a_tool_that_the_user_knows_to_read_only_needs_no_rule(daedal: Daedal, model):
    assert daedal("mcp", "add", "example", "--read-only", "echo", "--", *PLUGIN).code == 0
    model([call("mcp__example__echo", text="hi"), say("Hi.")])
    assert daedal("exec", "Echo.").code == 0
    assert [(result["is_error"], result["content"]) for result in daedal.results()] == [(False, "hi")]


@requirement("RX-05")
def test_a_server_that_dies_in_a_turn_does_not_take_the_turn_with_it(daedal: Daedal, model):
    assert daedal("mcp", "add", "odd", "--", *ODD, "dies").code == 0
    model([call("mcp__odd__act"), say("It broke.")])
    run = daedal("exec", "Act.", "--allow", "mcp__odd")
    assert (run.code, run.out.strip()) == (0, "It broke.")
    (result,) = daedal.results()
    assert result["is_error"]
    assert result["content"].startswith("[SDLC_INTERNAL] ")


@requirement("RX-05", "SD-27")
def test_a_project_s_server_is_not_even_started_before_the_folder_is_trusted(daedal: Daedal, model):
    notes = daedal.root / "notes"
    assert daedal("mcp", "add", "odd", "--scope", "project", "--", *ODD, "fine", str(notes)).code == 0
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
    assert daedal("mcp", "add", "example", "--", *PLUGIN).code == 0
    server = model([say("Done.")], after="repeat")
    assert daedal("exec", "/mcp__example__summarise birds").code == 0
    assert "Summarise birds in one paragraph." in json.dumps(server.requests[-1].json)
    assert daedal("exec", "Follow @example:notes://style please").code == 0
    assert "Short sentences. Plain words." in json.dumps(server.requests[-1].json)


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
    with_hooks(daedal, ("Elicitation", listening(daedal)), ("ElicitationResult", listening(daedal)))
    assert daedal("mcp", "add", "proper", "--", *PROPER).code == 0
    model([call("mcp__proper__ask"), say("I see.")])
    asked: list[InputRequest] = []
    drive(daedal, monkeypatch, addressed(asked, "Main Street"))
    assert "The MCP server proper asks: Where do you live?" in asked[0].questions[0].question
    assert "accept" in daedal.results()[0]["content"]
    assert "Main Street" in daedal.results()[0]["content"]
    first, last = heard(daedal)
    assert (first["mcp_server_name"], first["message"]) == ("proper", "Where do you live?")
    assert (last["action"], list(last["content"].values())) == ("accept", ["Main Street"])


@requirement("RX-05")
def test_a_hook_answers_a_server_in_the_persons_place(daedal: Daedal, model, monkeypatch):
    with_hooks(daedal, ("Elicitation", saying("Elicitation", action="cancel")))
    assert daedal("mcp", "add", "proper", "--", *PROPER).code == 0
    model([call("mcp__proper__ask"), say("I see.")])
    asked: list[InputRequest] = []
    drive(daedal, monkeypatch, addressed(asked, "Main Street"))
    assert asked == []
    assert "cancel" in daedal.results()[0]["content"]


@requirement("RX-05")
def test_headless_nobody_answers_a_server_and_the_turn_goes_on(daedal: Daedal, model):
    assert daedal("mcp", "add", "proper", "--", *PROPER).code == 0
    model([call("mcp__proper__ask"), say("I see.")])
    assert daedal("exec", "Ask.", "--allow", "mcp__proper").code == 0
    assert "decline" in daedal.results()[0]["content"]


@requirement("RX-05", "SD-16")
def test_tools_of_a_server_are_listed_with_where_they_come_from(daedal: Daedal, model):
    assert daedal("mcp", "add", "example", "--", *PLUGIN).code == 0
    model([say("Hello.")])
    assert daedal("exec", "Hello.").code == 0
    tools = {tool["name"]: tool for tool in json.loads(daedal("tools", "--json").out)}
    assert tools["mcp__example__echo"]["source"] == "example"
    assert tools["Read"]["source"] == "built-in"
    assert "general-purpose" in tools["Agent"]["description"]


@requirement("SD-16/ListMcpResources", "SD-16/ReadMcpResource")
def test_resources_of_a_server_are_listed_and_read_by_the_model(daedal: Daedal, model):
    assert daedal("mcp", "add", "example", "--", *PLUGIN).code == 0
    model(
        [
            call("ListMcpResources"),
            call("ReadMcpResource", server="example", uri="notes://style"),
            call("ReadMcpResource", server="example", uri="notes://nowhere"),
            say("Read."),
        ]
    )
    assert daedal("exec", "Look.").code == 0
    listed, read, missing = daedal.results()
    assert "notes://style" in [each["uri"] for each in json.loads(listed["content"])]
    assert json.loads(read["content"])["contents"][0]["text"]
    assert (listed["is_error"], read["is_error"], missing["is_error"]) == (False, False, True)


@requirement("RX-05")
def test_how_far_a_server_is_can_be_seen_while_it_works(daedal: Daedal, model):
    assert daedal("mcp", "add", "proper", "--", *PROPER).code == 0
    model([call("mcp__proper__report"), say("Reported.")])
    done = daedal("exec", "Report.", "--allow", "mcp__proper")
    assert done.code == 0
    assert "… 1/2 halfway" in done.err


@requirement("SD-07", "RX-05")
def test_a_key_that_is_written_out_for_a_server_stays_out_of_the_ledger(daedal: Daedal, model):
    added = daedal("mcp", "add", "example", "-e", "API_TOKEN=open-sesame-1234", "-e", "PLACE=${HOME}", "--", *PLUGIN)
    assert added.code == 0, added.err
    model([call("mcp__example__echo", text="hi"), say("Hi.")], after="cycle")
    for _ in range(2):
        assert daedal("exec", "Echo.", "--allow", "mcp__example").code == 0
        assert daedal.results()[-1]["content"] == "hi"
    assert b"open-sesame-1234" not in daedal.database.read_bytes()
    ((kept,),) = daedal.rows("SELECT json FROM settings_snapshot WHERE scope = 'effective'")
    assert json.loads(kept)["plugins"][0]["env"] == {"API_TOKEN": "[REDACTED:API_TOKEN]", "PLACE": "${HOME}"}


@requirement("RX-05")
def test_a_server_that_never_answers_is_named_and_the_run_begins_without_it(daedal: Daedal, model):
    assert daedal("mcp", "add", "mute", "--", "sleep", "1000").code == 0
    model([say("Hello.")])
    run = daedal("exec", "Hello.")
    assert (run.code, run.out) == (0, "Hello.\n")
    assert "MCP servers that no session has met yet: mute" in run.err
    assert "because they do not answer: mute" in run.err
