"""Does a conversation with a guest survive what happens to it? Stops, failures, deaths, and another engine's turn."""

import json
from typing import Any

import pytest

from tests.guests.dialects import Dialect
from tests.guests.handovers import Handover
from tests.guests.processes import kill_program
from tests.guests.waiting import wait_for
from tests.toolbox.model_server import fail, say, stall
from tests.toolbox.requirement import requirement
from tests.toolbox.wire_client import Child

PROGRAM = {"codex": "app-server", "claude": "stream-json"}
"""A word of its command line."""
HALF = stall(5, say("Half of it and more", 4))


def begin(client: Child, thread: str, text: str) -> str:
    params = {"threadId": thread, "input": [{"type": "text", "text": text}]}
    return client.call("turn/start", params)["turn"]["id"]


def stop(client: Child, thread: str, turn: str) -> dict[str, Any]:
    client.call("turn/interrupt", {"threadId": thread, "turnId": turn})
    return client.event("turn/completed")["turn"]


@requirement("DX-11")
def test_an_interrupted_turn_ends_at_once_and_can_go_on(guest: Dialect, model):
    server = model([HALF, guest.run("touch begun; sleep 60; touch ended"), say("Whole.")])
    workspace = guest.daedal.workspace
    with Child(guest.daedal, "--engine", guest.name) as client:
        thread = client.hello().thread(cwd=str(workspace), allow=["Bash"], **guest.options)
        turn = begin(client, thread, "Go.")
        server.wait_for_stall()
        assert stop(client, thread, turn)["status"] == "interrupted"
        turn = begin(client, thread, "Go on.")
        wait_for(workspace / "begun")
        assert stop(client, thread, turn)["status"] == "interrupted"
        assert client.turn(thread, "And now?")["turn"]["status"] == "completed"
        assert client.leave() == 0
    assert guest.daedal.entries("assistant")[-1]["content"][0]["text"] == "Whole."
    assert "may have run partly" in guest.daedal.results()[0]["content"]
    assert not (workspace / "ended").exists()


@requirement("DX-11")
def test_a_turn_fails_with_the_words_of_its_provider_or_of_its_death_and_the_next_one_works(guest: Dialect, model):
    (guest.daedal.home / ".daedal").mkdir()
    (guest.daedal.home / ".daedal" / "config.toml").write_text("[network]\nattempts_max = 1\n")
    server = model([fail(500, "the machine is on fire"), say("Better."), HALF, say("I am back.")])
    with Child(guest.daedal, "--engine", guest.name) as client:
        thread = client.hello().thread(cwd=str(guest.daedal.workspace), **guest.options)
        failed = client.turn(thread, "The word is xyzzy.")["turn"]
        assert (failed["status"], f"{guest.name} gave up" in failed["error"]["message"].lower()) == ("failed", True)
        assert client.turn(thread, "Again.")["turn"]["status"] == "completed"
        begin(client, thread, "Which word?")
        server.wait_for_stall()
        kill_program(guest.daedal, PROGRAM[guest.name])
        failed = client.event("turn/completed")["turn"]
        assert failed["status"] == "failed"
        assert "ended in the middle of its work" in failed["error"]["message"]
        assert client.turn(thread, "Which word?")["turn"]["status"] == "completed"
        assert client.leave() == 0
    assert guest.told(server.requests[-1]).count("The word is xyzzy.") == 1


@requirement("DX-11")
def test_a_conversation_goes_on_after_everything_was_killed(guest: Dialect, model):
    daedal = guest.daedal
    server = model([guest.run("touch begun; sleep 60; touch ended"), say("I remember.")])
    process = daedal.start("exec", "The word is xyzzy.", *guest.flags, "--allow", "Bash")
    wait_for(daedal.workspace / "begun")
    process.kill()
    process.communicate()
    done = guest.ask("--continue", prompt="Which word?")
    assert (done.code, done.out) == (0, "I remember.\n")
    told = guest.told(server.requests[-1])
    assert told.count("The word is xyzzy.") == 1
    assert "may have run completely, partly or not at all" in told
    assert len([entry for entry in daedal.entries("system") if entry["subtype"] == "guest"]) == 1
    statuses = [status for (status,) in daedal.rows("SELECT status FROM turns ORDER BY rowid")]
    assert statuses == ["interrupted", "completed"]


@requirement("DX-11")
def test_a_session_of_our_own_engine_can_be_carried_on_by_a_guest(handover: Handover):
    assert handover.runs[1].out == "I am a guest.\n"
    told = handover.guest.told(handover.requests[1])
    assert "assistant: I am native." in told
    assert "The word is xyzzy." in told


@requirement("DX-11")
def test_our_own_engine_can_carry_on_what_a_guest_did(handover: Handover):
    assert handover.runs[3].out == "Native again.\n"
    assert "I am a guest." in json.dumps(handover.requests[-1].json)


def test_what_came_after_a_conversation_began_is_said_or_offered(handover: Handover):
    is_said = "begin a new one to use them" in handover.runs[2].err
    is_offered = "example/echo" in handover.guest.offered(handover.requests[3])
    assert (is_said, is_offered) == ((True, False) if handover.guest.name == "codex" else (False, True))


@requirement("DX-11")
def test_what_claude_says_that_it_cost_is_counted_once_also_after_a_restart(claude_handover: Handover):
    costs = [cost for (cost,) in claude_handover.guest.daedal.rows("SELECT cost_usd FROM model_calls ORDER BY id")]
    # Claude says it at the end of a turn: two calls in the first, one in the second.
    assert costs[1] is None
    assert costs[2] == pytest.approx(costs[3] * 2)


def test_settings_of_the_folder_do_not_count_for_a_guest(handover: Handover):
    assert not handover.marker.exists()
