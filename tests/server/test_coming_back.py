"""What does a client get that comes back? What it missed, what is growing as its text so far, then the rest."""

from pathlib import Path
from typing import Any

import pytest

from tests.toolbox.model_server import call, say, stall
from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement
from tests.toolbox.wire_client import Server, WireClient


@pytest.fixture
def place(tmp_path: Path) -> str:
    return f"unix://{tmp_path}/s"


def begin(client: WireClient, thread: str) -> str:
    said = [{"type": "text", "text": "Go."}]
    return client.call("turn/start", {"threadId": thread, "input": said})["turn"]["id"]


def seen_by(client: WireClient) -> int:
    return max(message["sequence"] for message in client.seen if "sequence" in message)


def after(client: WireClient, opened: dict[str, Any]) -> dict[str, Any]:
    return {"stream": opened["seen"]["stream"], "sequence": seen_by(client)}


@requirement("FA-01")
def test_the_events_after_the_last_one_seen_are_sent_again_without_a_gap(daedal: Daedal, model, place: str):
    server = model([call("Read", file_path="absent"), stall(after=4)])
    with Server(daedal, place) as running:
        client, other = running.client(), running.client()
        opened = client.call("thread/start")
        thread = opened["thread"]["id"]
        other.call("thread/resume", {"threadId": thread})
        begin(client, thread)
        client.event("turn/started")
        client.hang_up()
        while client.next() is not None:
            pass
        server.wait_for_stall()
        other.event("item/agentMessage/delta")
        back = running.client()
        again = back.call("thread/resume", {"threadId": thread, "after": after(client, opened)})
        assert again["replayed"] is True
        growing = back.wait(
            lambda one: (
                one.get("params", {}).get("item", {}).get("type") == "agentMessage"
                and bool(one["params"]["item"]["text"])
            )
        )
        told = "".join(one["params"]["delta"] for one in other.seen if one.get("method") == "item/agentMessage/delta")
        assert growing["params"]["item"]["text"] == told
        back.call("turn/interrupt", {"threadId": thread, "turnId": growing["params"]["turnId"]})
        back.event("turn/completed")
        numbered = {one["sequence"]: one for one in client.seen + back.seen if "sequence" in one}
        deltas = {one["sequence"] for one in other.seen if one.get("method") == "item/agentMessage/delta"}
        assert set(range(1, seen_by(back) + 1)) - set(numbered) <= deltas


def test_a_client_that_was_away_too_long_gets_the_turns_instead(daedal: Daedal, model, place: str):
    model([say("One."), say("Two.")])
    with Server(daedal, place) as running:
        client, other = running.client(), running.client()
        opened = client.call("thread/start")
        thread = opened["thread"]["id"]
        place_then = after(client, opened) if any("sequence" in one for one in client.seen) else opened["seen"]
        other.call("thread/resume", {"threadId": thread})
        client.hang_up()
        begin(other, thread)
        other.event("turn/completed")
        begin(other, thread)
        other.event("turn/completed")
        back = running.client()
        again = back.call("thread/resume", {"threadId": thread, "after": place_then})
        assert again["replayed"] is False
        assert [item.get("text") for turn in again["thread"]["turns"] for item in turn["items"]] == [
            None,
            "One.",
            None,
            "Two.",
        ]


def test_numbers_of_another_server_mean_nothing(daedal: Daedal, model, place: str):
    model([say("One.")])
    with Server(daedal, place) as running:
        client = running.client()
        opened = client.call("thread/start")
        thread = opened["thread"]["id"]
        begin(client, thread)
        client.event("turn/completed")
        mark = after(client, opened)
    with Server(daedal, place) as running:
        back = running.client()
        again = back.call("thread/resume", {"threadId": thread, "after": mark})
        assert (again["replayed"], len(again["thread"]["turns"])) == (False, 1)
        assert again["seen"]["stream"] != mark["stream"]


def test_a_turn_goes_on_while_nobody_listens(daedal: Daedal, model, place: str):
    model([call("Read", file_path="absent"), say("Done.")])
    with Server(daedal, place) as running:
        client = running.client()
        thread = client.thread()
        begin(client, thread)
        client.hang_up()
        back = running.client()
        opened = back.call("thread/resume", {"threadId": thread})
        if opened["thread"]["status"]["type"] == "active":
            back.event("turn/completed")
        read = back.call("thread/read", {"threadId": thread, "includeTurns": True})["thread"]
        assert read["turns"][0]["status"] == "completed"


def test_a_client_hears_only_the_threads_it_opened(daedal: Daedal, model, place: str):
    model([say("One.")])
    with Server(daedal, place) as running:
        client, other = running.client(), running.client()
        thread = client.thread()
        begin(client, thread)
        client.event("turn/completed")
        other.call("thread/list")
        assert other.methods() == ["thread/started"]


def test_a_client_that_unsubscribes_hears_no_more(daedal: Daedal, model, place: str):
    model([say("One.")])
    with Server(daedal, place) as running:
        client, other = running.client(), running.client()
        thread = client.thread()
        other.call("thread/resume", {"threadId": thread})
        assert other.call("thread/unsubscribe", {"threadId": thread}) == {"status": "unsubscribed"}
        assert other.call("thread/unsubscribe", {"threadId": thread}) == {"status": "notSubscribed"}
        begin(client, thread)
        client.event("turn/completed")
        other.call("thread/list")
        assert "turn/started" not in other.methods()


def test_unwanted_notifications_are_not_sent(daedal: Daedal, model, place: str):
    model([say("One.")])
    with Server(daedal, place) as running:
        client = running.client(optOutNotificationMethods=["item/agentMessage/delta", "item/started"])
        thread = client.thread()
        begin(client, thread)
        client.event("turn/completed")
        assert not {"item/agentMessage/delta", "item/started"} & set(client.methods())
