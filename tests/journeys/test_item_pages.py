"""Can a long thread be read piece by piece? From either end, from any item, without what a rewind took out."""

from typing import Any

import pytest

from tests.toolbox.model_server import call, calls, say
from tests.toolbox.program import Daedal
from tests.toolbox.wire_client import Child, WireClient


def facts(item: dict[str, Any]) -> list[Any]:
    """Without what is told otherwise to clients that were written for Codex."""
    return [item.get(name) for name in ("id", "type", "text", "content", "status", "exitCode", "aggregatedOutput")]


def page(client: WireClient, thread: str, **where: Any) -> dict[str, Any]:
    return client.call("thread/items/list", {"threadId": thread, **where})


def ids(answer: dict[str, Any]) -> list[str]:
    return [placed["item"]["id"] for placed in answer["data"]]


@pytest.mark.parametrize("limit", [1, 2, 3, 100])
def test_pages_of_any_length_make_up_the_whole_in_both_directions(daedal: Daedal, model, limit: int):
    both = calls(("Read", {"file_path": "a.txt"}), ("Glob", {"pattern": "*"}))
    model([say("I look.") + both, say("Seen."), call("Bash", command="false"), say("Ran.")])
    (daedal.workspace / "a.txt").write_text("a")
    with Child(daedal) as client:
        client.hello()
        thread = client.thread(approvalPolicy="yolo")
        client.turn(thread, "First.")
        client.turn(thread, "Second.")
        turns = client.call("thread/read", {"threadId": thread, "includeTurns": True})["thread"]["turns"]
        whole = [item for turn in turns for item in turn["items"]]
        assert len(whole) == 8
        newest = page(client, thread, limit=limit)
        found = newest["data"]
        while newest["offset"]:
            newest = page(client, thread, limit=limit, before=ids(newest)[0])
            assert newest["total"] == len(whole)
            found = newest["data"] + found
        assert [facts(placed["item"]) for placed in found] == [facts(item) for item in whole]
        assert [placed["turnId"] for placed in found] == [turn["id"] for turn in turns for _ in turn["items"]]
        oldest = page(client, thread, limit=limit, after="")
        again = ids(oldest)
        while oldest["offset"] + len(oldest["data"]) < oldest["total"]:
            oldest = page(client, thread, limit=limit, after=again[-1])
            again += ids(oldest)
        assert again == ids({"data": found})
        assert (
            "no item nobody" in client.fails("thread/items/list", {"threadId": thread, "before": "nobody"})["message"]
        )


def test_what_a_rewind_took_out_is_on_no_page(daedal: Daedal, model):
    model([say("One."), say("Two."), say("Three.")])
    with Child(daedal) as client:
        client.hello()
        thread = client.thread()
        assert page(client, thread) == {"data": [], "offset": 0, "total": 0}
        client.turn(thread, "First.")
        client.turn(thread, "Second.")
        second = client.call("thread/rewind/list", {"threadId": thread})["data"][1]["turnId"]
        client.call("thread/rewind", {"threadId": thread, "beforeTurnId": second})
        client.turn(thread, "Third.")
        told = page(client, thread)
        said = [placed["item"].get("text") for placed in told["data"]]
        assert (said, told["total"]) == ([None, "One.", None, "Three."], 4)
