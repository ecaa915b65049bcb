"""Can a person change a thread while it lives? Its model, mode, walls and folder, between turns and in the middle."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from bench.peers import find_peer
from tests.journeys.test_app_server import begin
from tests.journeys.test_bad_input import configure
from tests.journeys.test_hostile_rules import managed
from tests.toolbox.model_server import call, say, stall, think
from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement
from tests.toolbox.wire_client import Child, WireClient

UPDATE = "thread/settings/update"
WRITE = call("Write", file_path="made", content="x")
OPENAI = "openai_compatible/o3"


def change(client: WireClient, thread: str, **wishes: Any) -> dict[str, Any]:
    return client.call(UPDATE, {"threadId": thread, **wishes})["threadSettings"]


def refused(client: WireClient, thread: str, **wishes: Any) -> str:
    error = client.fails(UPDATE, {"threadId": thread, **wishes})
    assert error["code"] == -32000, error
    return error["message"]


def spoken(daedal: Daedal) -> list[str]:
    return [f"{provider}/{model}" for provider, model in daedal.rows("SELECT provider, model_id FROM sessions")]


def phases(daedal: Daedal) -> list[tuple[str, str]]:
    found = daedal.rows("SELECT detail FROM events WHERE event_type = 'PhaseChanged' ORDER BY id")
    return [(one["before"], one["after"]) for one in (json.loads(detail) for (detail,) in found)]


@requirement("FA-01", "SD-08/model")
def test_a_thread_goes_on_with_the_model_of_another_provider_and_knows_what_was_said(daedal: Daedal, model):
    server = model([say("I am Claude."), say("I am another."), say("Still me.")])
    with Child(daedal) as client:
        client.hello()
        thread = client.thread()
        client.turn(thread, "Who are you?")
        told = change(client, thread, model=OPENAI)
        assert (told["model"], told["modelProvider"]) == ("o3", "openai_compatible")
        client.turn(thread, "And you?")
        client.turn(thread, "And now?")
    assert [request.wire for request in server.requests] == ["anthropic", "chat", "chat"]
    said = [message["content"] for message in server.requests[1].json["messages"][1:]]
    assert said == ["Who are you?", "I am Claude.", "And you?"]
    assert spoken(daedal) == [OPENAI]


def test_a_turn_brings_its_model_along_and_it_stays(daedal: Daedal, model):
    server = model([say("One."), say("Two.")])
    with Child(daedal) as client:
        client.hello()
        thread = client.thread()
        client.turn(thread, model="o3")
        client.turn(thread)
    assert [request.json["model"] for request in server.requests] == ["o3", "o3"]
    assert len(daedal.entries("user")) == 2


def test_an_unknown_model_or_one_without_a_key_is_refused_before_anything_is_recorded(daedal: Daedal, model):
    model([say("never")])
    del daedal.env["OPENAI_API_KEY"]
    with Child(daedal) as client:
        client.hello()
        thread = client.thread()
        assert "gpt_9" in refused(client, thread, model="gpt_9")
        assert "OPENAI_API_KEY" in refused(client, thread, model=OPENAI, permissionMode="acceptEdits")
        error = client.fails(
            "turn/start", {"threadId": thread, "input": [{"type": "text", "text": "x"}], "model": "no"}
        )
        assert "no" in error["message"]
        assert change(client, thread)["permissionMode"] == "default"
        assert "thread/settings/updated" not in client.methods()
    assert daedal.rows("SELECT count(*) FROM sessions") == [(0,)]


def test_a_model_chosen_in_the_middle_of_a_turn_gives_the_next_reply(daedal: Daedal, model):
    server = model([stall(after=2, reply=call("Bash", command="echo one")), say("From another.")])
    with Child(daedal) as client:
        client.hello()
        thread = client.thread(approvalPolicy="auto")
        begin(client, thread)
        server.wait_for_stall()
        assert change(client, thread, model=OPENAI, effort="low")["effort"] == "low"
        server.release()
        assert client.event("turn/completed")["turn"]["status"] == "completed"
    assert [request.wire for request in server.requests] == ["anthropic", "chat"]
    assert server.requests[1].json["messages"][-1]["role"] == "tool"
    assert "one" in server.requests[1].json["messages"][-1]["content"]


def test_what_one_model_sealed_is_given_back_to_no_other(daedal: Daedal, model):
    server = model([think("Secret thoughts.").but(parts=[*think("Hm.").parts, *say("One.").parts]), say("2"), say("3")])
    with Child(daedal) as client:
        client.hello()
        thread = client.thread(model="opus")
        client.turn(thread)
        client.turn(thread, model="sonnet")
        client.turn(thread, model="opus")
    kinds = [[block["type"] for block in request.json["messages"][1]["content"]] for request in server.requests[1:]]
    assert kinds == [["text"], ["thinking", "text"]]


@requirement("RX-11")
def test_a_mode_decides_over_the_next_edit_and_every_listener_hears_of_it(daedal: Daedal, model):
    model([WRITE, say("No."), WRITE, say("Yes.")])
    with Child(daedal) as client:
        client.hello()
        thread = client.thread()
        change(client, thread, permissionMode="dontAsk")
        assert client.turn(thread)["turn"]["status"] == "completed"
        assert not (daedal.workspace / "made").exists()
        change(client, thread, permissionMode="acceptEdits")
        client.turn(thread)
        told = [one["params"] for one in client.seen if one.get("method") == "thread/settings/updated"]
        assert [one["threadSettings"]["permissionMode"] for one in told] == ["dontAsk", "acceptEdits"]
        assert {one["threadId"] for one in told} == {thread}
    assert (daedal.workspace / "made").exists()


@requirement("RX-11")
def test_a_mode_that_is_changed_while_a_turn_runs_holds_for_its_next_call(daedal: Daedal, model):
    server = model([stall(after=2, reply=WRITE), say("As you like.")])
    with Child(daedal) as client:
        client.hello()
        thread = client.thread(permissionMode="acceptEdits")
        begin(client, thread)
        server.wait_for_stall()
        assert change(client, thread, permissionMode="plan")["phase"] == "planning"
        server.release()
        client.event("turn/completed")
    assert "phase:planning" in daedal.results()[0]["content"]
    assert phases(daedal) == [("idle", "planning")]


def test_a_sub_agent_at_work_is_held_by_the_walls_that_its_parent_gets(daedal: Daedal, model):
    agent = {"description": "d", "prompt": "p", "subagent_type": "general-purpose", "run_in_background": False}
    touch = call("Bash", command="touch made; echo tried")
    server = model([call("Agent", **agent), stall(after=2, reply=touch), WRITE, say("report"), say("Done.")])
    with Child(daedal) as client:
        client.hello()
        thread = client.thread(approvalPolicy="yolo")
        begin(client, thread)
        server.wait_for_stall()
        change(client, thread, sandboxPolicy={"type": "readOnly"})
        child = next(one["params"]["thread"]["id"] for one in client.seen if is_child(one))
        assert thread in refused(client, child, permissionMode="bypassPermissions")
        server.release()
        client.wait(lambda one: one.get("method") == "turn/completed" and one["params"]["threadId"] == thread)
    assert "Read-only" in daedal.results()[0]["content"]
    assert "deny: Write" in daedal.results()[1]["content"]
    assert not (daedal.workspace / "made").exists()


def is_child(message: dict[str, Any]) -> bool:
    return message.get("method") == "thread/started" and bool(message["params"]["thread"].get("parentThreadId"))


def test_a_grant_for_the_session_survives_a_change_of_posture(daedal: Daedal, model):
    touch = call("Bash", command="touch granted")
    model([touch, say("1"), touch, say("2")])
    with Child(daedal) as client:
        client.hello()
        thread = client.thread(approvalPolicy="untrusted")
        begin(client, thread)
        client.send(id=client.asked()["id"], result={"decision": "acceptForSession"})
        client.event("turn/completed")
        assert change(client, thread, approvalPolicy="never")["posture"] == "never"
        client.turn(thread)
    assert [result["is_error"] for result in daedal.results()] == [False, False]


@requirement("SD-21")
def test_walls_that_are_narrowed_hold_commands_and_files_and_can_be_widened_again(daedal: Daedal, model):
    touch = call("Bash", command="touch made; echo tried")
    model([touch, WRITE, say("Cannot."), touch, say("Can.")])
    with Child(daedal) as client:
        client.hello()
        thread = client.thread(approvalPolicy="auto")
        client.turn(thread, sandboxPolicy={"type": "readOnly"})
        assert change(client, thread)["sandboxPolicy"] == {"type": "readOnly"}
        assert not (daedal.workspace / "made").exists()
        client.turn(thread, sandboxPolicy={"type": "workspaceWrite", "networkAccess": False})
    first, second, _ = daedal.results()
    assert "Read-only" in first["content"]
    assert "deny: Write" in second["content"]
    assert (daedal.workspace / "made").exists()


def test_what_ran_in_the_background_within_wider_walls_ends_when_they_are_narrowed(daedal: Daedal, model):
    model([call("Bash", command="sleep 600", run_in_background=True), say("It runs.")])
    with Child(daedal) as client:
        client.hello()
        thread = client.thread(approvalPolicy="auto")
        client.turn(thread)
        change(client, thread, sandboxPolicy={"type": "readOnly"})
        assert any("ended" in one["params"]["message"] for one in client.seen if one.get("method") == "warning")


def test_walls_are_asked_for_by_name_where_the_settings_do_without(daedal: Daedal, model, tmp_path: Path):
    outside = tmp_path / "outside"
    outside.mkdir()
    (tmp_path / "tmp").mkdir()
    daedal.env["TMPDIR"] = str(tmp_path / "tmp")
    configure(daedal, "[sandbox]\nenabled = false\n")
    model(
        [call("Bash", command=f"touch {outside}/one"), say("1"), call("Bash", command=f"touch {outside}/two"), say("2")]
    )
    with Child(daedal) as client:
        client.hello()
        opened = client.call("thread/start", {"approvalPolicy": "yolo"})
        assert opened["sandbox"] == {"type": "dangerFullAccess"}
        client.turn(opened["thread"]["id"])
        begin(client, opened["thread"]["id"], sandboxPolicy={"type": "workspaceWrite"})
        asked = client.asked()  # whether it may leave the walls
        client.send(id=asked["id"], result={"decision": "decline"})
        client.event("turn/completed")
    assert [path.name for path in outside.iterdir()] == ["one"]


@requirement("SD-15")
def test_what_the_administrator_forbids_is_refused_and_narrowing_is_not(daedal: Daedal, model, tmp_path: Path):
    model([say("never")])
    house = managed(daedal, tmp_path, '[permissions]\ndisableBypassPermissionsMode = "disable"\n')
    with Child(house) as client:
        client.hello()
        opened = client.call("thread/start", {"approvalPolicy": "yolo"})
        thread = opened["thread"]["id"]
        assert opened["posture"] == "ask"
        for wish in (
            {"permissionMode": "bypassPermissions"},
            {"approvalPolicy": "yolo"},
            {"sandboxPolicy": {"type": "dangerFullAccess"}},
        ):
            assert "disableBypassPermissionsMode" in refused(client, thread, **wish, cwd=".")
        told = change(
            client, thread, permissionMode="dontAsk", sandboxPolicy={"type": "readOnly"}, approvalPolicy="never"
        )
        assert (told["permissionMode"], told["posture"]) == ("dontAsk", "never")


def test_commands_run_in_another_folder_of_the_project_and_never_outside(daedal: Daedal, model, tmp_path: Path):
    (daedal.workspace / "sub").mkdir()
    (daedal.workspace / "way-out").symlink_to(tmp_path)
    model([call("Bash", command="pwd"), say("There."), call("Bash", command="pwd"), say("Still.")])
    with Child(daedal) as client:
        client.hello()
        thread = client.thread(approvalPolicy="auto")
        for place in ("..", "/", "way-out", str(tmp_path)):
            assert "thread/start" in refused(client, thread, cwd=place)
        assert "nowhere" in refused(client, thread, cwd="nowhere")
        client.turn(thread, cwd=str(daedal.workspace / "sub"))
        assert change(client, thread)["cwd"].endswith("/project/sub")
    with Child(daedal) as client:
        client.hello()
        client.call("thread/resume", {"threadId": thread, "approvalPolicy": "auto"})
        assert change(client, thread)["cwd"].endswith("/project/sub")
        client.turn(thread)
    assert all("/project/sub" in result["content"] for result in daedal.results())


@requirement("FA-01")
def test_what_was_changed_holds_when_the_thread_is_resumed_but_walls_do_not_stay_down(daedal: Daedal, model):
    server = model([say("One."), WRITE, say("Two.")])
    with Child(daedal) as client:
        client.hello()
        thread = client.thread()
        change(client, thread, model=OPENAI, effort="high", permissionMode="acceptEdits", approvalPolicy="never")
        client.turn(thread)
        change(client, thread, sandboxPolicy={"type": "dangerFullAccess"})
    with Child(daedal) as client:
        client.hello()
        opened = client.call("thread/resume", {"threadId": thread})
        assert (opened["model"], opened["reasoningEffort"]) == ("o3", "high")
        assert (opened["permissionMode"], opened["posture"], opened["phase"]) == ("acceptEdits", "never", "idle")
        assert opened["sandbox"] == {"type": "workspaceWrite"}
        assert "sandbox" in opened["notices"][0]
        client.turn(thread)
    assert [request.json["reasoning_effort"] for request in server.requests] == ["high"] * 3
    assert (daedal.workspace / "made").exists()


def test_what_was_changed_in_the_middle_of_a_turn_outlives_the_process_at_once(daedal: Daedal, model):
    server = model([stall(), say("Resumed.")])
    with Child(daedal) as client:
        client.hello()
        thread = client.thread()
        begin(client, thread)
        server.wait_for_stall()
        change(client, thread, permissionMode="plan", effort="high", model=OPENAI)
        client.process.kill()
    with Child(daedal) as client:
        client.hello()
        opened = client.call("thread/resume", {"threadId": thread})
        assert (opened["phase"], opened["reasoningEffort"], opened["model"]) == ("planning", "high", "o3")
        client.turn(thread)
    assert server.requests[1].wire == "chat"


def test_a_guest_keeps_its_model_and_walls_but_not_its_mode(daedal: Daedal, model):
    program = find_peer("codex")
    if program is None:
        pytest.skip("codex is not installed (npm install @openai/codex)")
    model([])
    daedal.env["PATH"] = f"{Path(program).parent}:{os.environ['PATH']}"
    with Child(daedal, "--engine", "codex") as client:
        client.hello()
        thread = client.thread()
        for wish in ({"model": "another"}, {"effort": "high"}, {"sandboxPolicy": {"type": "readOnly"}}):
            assert "codex" in refused(client, thread, **wish)
        assert change(client, thread, permissionMode="plan")["phase"] == "planning"


def test_settings_of_a_thread_that_has_not_begun_go_on_record_with_its_first_turn(daedal: Daedal, model):
    server = model([say("One.")])
    with Child(daedal) as client:
        client.hello()
        thread = client.thread()
        change(client, thread, permissionMode="plan", model=OPENAI)
        client.turn(thread)
    assert phases(daedal) == [("idle", "planning")]
    assert spoken(daedal) == [OPENAI]
    names = [tool["function"]["name"] for tool in server.requests[0].json["tools"]]
    assert "ExitPlanMode" in names


def test_a_copy_begins_with_the_settings_of_its_original(daedal: Daedal, model):
    model([say("One.")])
    with Child(daedal) as client:
        client.hello()
        thread = client.thread()
        client.turn(thread, model=OPENAI, permissionMode="acceptEdits")
        copy = client.call("thread/fork", {"threadId": thread})
    assert (copy["model"], copy["permissionMode"]) == ("o3", "acceptEdits")


def test_whoever_resumes_a_thread_that_lives_changes_it_and_grants_stay(daedal: Daedal, model):
    touch = call("Bash", command="touch granted")
    model([touch, say("1"), touch, say("2")])
    with Child(daedal) as client:
        client.hello()
        thread = client.thread()
        begin(client, thread)
        client.send(id=client.asked()["id"], result={"decision": "acceptForSession"})
        client.event("turn/completed")
        again = client.call("thread/resume", {"threadId": thread, "approvalPolicy": "never", "effort": "high"})
        assert (again["posture"], again["reasoningEffort"]) == ("never", "high")
        client.turn(thread)
    assert [result["is_error"] for result in daedal.results()] == [False, False]


def test_nonsense_is_answered_with_what_there_is(daedal: Daedal, model):
    model([say("never")])
    with Child(daedal) as client:
        client.hello()
        thread = client.thread()
        assert "acceptEdits" in refused(client, thread, permissionMode="carefree")
        assert "xhigh" in refused(client, thread, effort="a lot")
        assert "readOnly" in refused(client, thread, sandboxPolicy={"type": "externalSandbox"})
        assert client.fails(UPDATE, {"threadId": thread, "sandboxPolicy": "readOnly"})["code"] == -32602
        assert client.fails(UPDATE, {"threadId": "nobody", "effort": "low"})["code"] == -32000
