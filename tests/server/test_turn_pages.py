"""Can a client read a thread turn by turn? In both directions, without what a rewind took out."""

from typing import Any

import pytest

from tests.toolbox.model_server import call, say
from tests.toolbox.program import Daedal
from tests.toolbox.wire_client import Child, WireClient


def pages(client: WireClient, thread: str, **asked: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    cursor = None
    while True:
        answer = client.call("thread/turns/list", {"threadId": thread, "cursor": cursor, **asked})
        found += answer["data"]
        cursor = answer["nextCursor"]
        if cursor is None:
            return found


@pytest.mark.parametrize("limit", [1, 2, 100])
def test_pages_of_turns_make_up_the_whole_in_both_directions(daedal: Daedal, model, limit: int):
    model([say("One."), call("Bash", command="true"), say("Two."), say("Gone."), say("Three."), say("Four.")])
    with Child(daedal) as client:
        client.hello()
        thread = client.thread(approvalPolicy="yolo")
        for prompt in ("First.", "Second.", "Out."):
            client.turn(thread, prompt)
        last = client.call("thread/rewind/list", {"threadId": thread})["data"][2]["turnId"]
        client.call("thread/rewind", {"threadId": thread, "beforeTurnId": last})
        client.turn(thread, "Third.")
        client.turn(thread, "Fourth.")
        whole = client.call("thread/read", {"threadId": thread, "includeTurns": True})["thread"]["turns"]
        assert [len(turn["items"]) for turn in whole] == [2, 3, 2, 2]
        assert pages(client, thread, limit=limit) == whole[::-1]
        assert pages(client, thread, limit=limit, sortDirection="asc") == whole
        bare = pages(client, thread, limit=limit, sortDirection="asc", itemsView="notLoaded")
        assert bare == [{**turn, "items": [], "itemsView": "notLoaded"} for turn in whole]
        assert client.call("thread/turns/list", {"threadId": thread, "cursor": "9"})["data"] == []
