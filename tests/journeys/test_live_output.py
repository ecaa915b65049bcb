"""Does a person see what a command prints while it still runs?"""

import os

from tests.toolbox.model_server import call, say
from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement
from tests.toolbox.wire_client import Child, Server, WireClient

DELTA = "item/commandExecution/outputDelta"
KEY = "sk-ant-very-secret-0123456789"


def go(client: WireClient, thread: str) -> None:
    client.call("turn/start", {"threadId": thread, "input": [{"type": "text", "text": "Go."}]})


def printed(client: WireClient) -> str:
    return "".join(one["params"]["delta"] for one in client.seen if one.get("method") == DELTA)


@requirement("DX-10")
def test_output_arrives_while_the_command_runs_and_the_item_has_all_of_it_in_the_end(daedal: Daedal, model):
    os.mkfifo(daedal.workspace / "gate")
    model([call("Bash", command="echo one; read line < gate; echo two; echo bad >&2"), say("Done.")])
    with Child(daedal) as client:
        client.hello()
        thread = client.thread(approvalPolicy="yolo")
        go(client, thread)
        first = client.event(DELTA)
        assert first["delta"] == "one\n"
        assert first["threadId"] == thread
        (daedal.workspace / "gate").write_text("go\n")
        item = client.wait(lambda one: one.get("method") == "item/completed" and "exitCode" in one["params"]["item"])
        client.event("turn/completed")
        assert item["params"]["item"]["id"] == first["itemId"]
        assert item["params"]["item"]["aggregatedOutput"].startswith("one\ntwo\n")
        assert sorted(printed(client).splitlines()) == ["bad", "one", "two"]


@requirement("SD-07")
def test_a_credential_that_is_printed_in_two_pieces_is_not_shown(daedal: Daedal, model):
    os.mkfifo(daedal.workspace / "gate")
    command = "printf 'key: sk-ant-very-'; read line < gate; printf 'secret-0123456789 end'"
    model([call("Bash", command=command), say("Done.")])
    daedal.env["ANTHROPIC_API_KEY"] = KEY
    with Child(daedal) as client:
        client.hello()
        go(client, client.thread(approvalPolicy="yolo"))
        assert client.event(DELTA)["delta"] == "key: "
        (daedal.workspace / "gate").write_text("go\n")
        client.event("turn/completed")
        assert printed(client) == "key: [REDACTED:ANTHROPIC_API_KEY] end"


def test_whoever_does_not_want_it_is_not_told(daedal: Daedal, model):
    model([call("Bash", command="echo one"), say("Done.")])
    with Child(daedal) as client:
        client.hello(optOutNotificationMethods=[DELTA])
        client.turn(client.thread(approvalPolicy="yolo"))
        assert DELTA not in client.methods()


@requirement("FA-01")
def test_a_client_that_comes_back_finds_what_was_printed_so_far(daedal: Daedal, model, tmp_path):
    os.mkfifo(daedal.workspace / "gate")
    model([call("Bash", command="echo one; read line < gate; echo two"), say("Done.")])
    with Server(daedal, f"unix://{tmp_path}/s") as running:
        client = running.client()
        thread = client.call("thread/start", {"approvalPolicy": "yolo"})["thread"]["id"]
        go(client, thread)
        client.event(DELTA)
        back = running.client()
        turns = back.call("thread/resume", {"threadId": thread})["thread"]["turns"]
        [command] = [item for item in turns[-1]["items"] if item["type"] == "commandExecution"]
        assert command["aggregatedOutput"] == "one\n"
        assert back.event("item/started")["item"]["aggregatedOutput"] == "one\n"
        (daedal.workspace / "gate").write_text("go\n")
        assert back.event(DELTA)["delta"] == "two\n"
        back.event("turn/completed")


def test_a_flood_is_shown_in_few_pieces(daedal: Daedal, model):
    model([call("Bash", command="yes | head -c 50000000"), say("Done.")])
    with Child(daedal) as client:
        client.hello()
        client.turn(client.thread(approvalPolicy="yolo"))
        assert "bytes are not shown" in printed(client)
        assert len(printed(client)) < 2_000_000
