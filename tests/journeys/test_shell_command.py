"""What becomes of a command that a person types? It runs at once, on the record, and the model hears of it."""

import os

from tests.journeys.test_bad_input import configure
from tests.toolbox.model_server import say
from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement
from tests.toolbox.wire_client import Child


@requirement("DX-10")
def test_a_typed_command_is_a_turn_of_its_own_and_told_to_the_model_with_the_next_prompt(daedal: Daedal, model):
    server = model([say("Noted.")])
    with Child(daedal) as client:
        client.hello()
        thread = client.thread()
        turn = client.call("thread/shellCommand", {"threadId": thread, "command": "echo hello; touch made; exit 3"})
        ended = client.event("turn/completed")
        assert ended["turn"]["id"] == turn["turnId"]
        assert client.methods() == [
            "thread/started",
            "thread/status/changed",
            "turn/started",
            "item/started",
            "item/commandExecution/outputDelta",
            "item/completed",
            "thread/status/changed",
            "turn/completed",
        ]
        [item] = [one["params"]["item"] for one in client.seen if one.get("method") == "item/completed"]
        assert item["source"] == "userShell"
        assert item["exitCode"] == 3
        assert "hello" in item["aggregatedOutput"]
        client.turn(thread, "Go on.")
        [stored, _] = client.call("thread/read", {"threadId": thread, "includeTurns": True})["thread"]["turns"]
        assert stored["items"] == [item]
    said = str(server.requests[0].json["messages"])
    assert "echo hello" in said
    assert "Exit code 3" in said
    assert (daedal.workspace / "made").exists()
    [(principal,)] = daedal.rows("SELECT DISTINCT principal FROM tool_permission_log")
    assert principal.startswith("person:")


@requirement("DX-10")
def test_nobody_is_asked_about_a_typed_command_but_what_rules_deny_stays_denied(daedal: Daedal, model):
    model([])
    configure(daedal, '[permissions]\nask = ["Bash(touch:*)"]\ndeny = ["Bash(rm:*)"]\n')
    (daedal.workspace / "kept").touch()
    with Child(daedal) as client:
        client.hello()
        thread = client.thread()
        client.call("thread/shellCommand", {"threadId": thread, "command": "touch asked"})
        client.event("turn/completed")
        client.call("thread/shellCommand", {"threadId": thread, "command": "rm kept"})
        item = client.event("item/completed")["item"]
        client.event("turn/completed")
        assert item["status"] == "declined"
        assert "Bash(rm:*)" in item["reason"]
    assert (daedal.workspace / "asked").exists()
    assert (daedal.workspace / "kept").exists()


def test_the_walls_stand_around_a_typed_command_too(daedal: Daedal, model):
    model([])
    outside, temporary = daedal.home / "outside", daedal.home / "tmp"
    outside.mkdir()
    temporary.mkdir()
    daedal.env["TMPDIR"] = str(temporary)
    with Child(daedal) as client:
        client.hello()
        client.call("thread/shellCommand", {"threadId": client.thread(), "command": f"touch {outside}/x"})
        assert client.event("item/completed")["item"]["status"] == "failed"
        client.event("turn/completed")
        assert not [one for one in client.seen if "id" in one and "method" in one]
    assert not (outside / "x").exists()


@requirement("DX-10")
def test_a_typed_command_can_be_stopped_and_what_it_printed_is_kept(daedal: Daedal, model):
    server = model([say("Noted.")])
    os.mkfifo(daedal.workspace / "gate")
    with Child(daedal) as client:
        client.hello()
        thread = client.thread()
        turn = client.call("thread/shellCommand", {"threadId": thread, "command": "echo begun; cat gate"})["turnId"]
        client.event("item/commandExecution/outputDelta")
        busy = client.fails("thread/shellCommand", {"threadId": thread, "command": "true"})
        assert "busy" in busy["message"] or "turn" in busy["message"]
        client.call("turn/interrupt", {"threadId": thread, "turnId": turn})
        assert client.event("turn/completed")["turn"]["status"] == "interrupted"
        client.turn(thread)
    assert "interrupted" in str(server.requests[0].json["messages"])


def test_a_typed_command_must_be_one(daedal: Daedal, model):
    model([])
    with Child(daedal) as client:
        client.hello()
        thread = client.thread()
        assert "no command" in client.fails("thread/shellCommand", {"threadId": thread, "command": " "})["message"]
        late = client.fails("thread/shellCommand", {"threadId": thread, "command": "true", "timeoutMs": 0})
        assert "no time" in late["message"]
        assert client.fails("thread/shellCommand", {"threadId": "x", "command": "true"})
    assert not daedal.database.exists() or not daedal.entries("tool_use")
