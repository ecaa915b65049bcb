"""Can a thread be watched that another process drives? What it does is seen, and when it lets go, taken over."""

import os
import signal

from tests.toolbox.model_server import call, say, stall
from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement
from tests.toolbox.wire_client import Child, WireClient


def begin(client: WireClient, thread: str, text: str = "Go.") -> None:
    client.call("turn/start", {"threadId": thread, "input": [{"type": "text", "text": text}]})


@requirement("DX-10")
def test_a_thread_that_runs_elsewhere_is_shown_live_and_can_be_taken_over_afterwards(daedal: Daedal, model):
    os.mkfifo(daedal.workspace / "gate")
    model([say("One."), call("Bash", command="read line < gate; echo two"), say("Done."), say("Mine now.")])
    with Child(daedal) as driving, Child(daedal) as watching:
        driving.hello()
        watching.hello()
        thread = driving.thread(approvalPolicy="yolo")
        driving.turn(thread, "First.")
        refused = watching.fails("thread/resume", {"threadId": thread})
        assert str(driving.process.pid) in refused["message"]
        opened = watching.call("thread/resume", {"threadId": thread, "follow": True})
        assert opened["following"] == {"pid": driving.process.pid}
        [turn] = opened["thread"]["turns"]
        assert [item["type"] for item in turn["items"]] == ["userMessage", "agentMessage"]
        begin(driving, thread, "Second.")
        began = watching.event("turn/started")
        assert watching.event("item/completed")["item"]["content"][0]["text"] == "Second."
        running = watching.event("item/started")["item"]
        assert running["status"] == "inProgress"
        assert watching.fails("turn/start", {"threadId": thread, "input": []})
        (daedal.workspace / "gate").write_text("go\n")
        over = watching.event("item/completed")["item"]
        assert (over["id"], over["aggregatedOutput"], over["exitCode"]) == (running["id"], "two\n", 0)
        assert watching.event("item/completed")["item"]["text"] == "Done."
        assert watching.event("turn/completed")["turn"]["id"] == began["turn"]["id"]
        driving.leave()
        assert watching.event("thread/follow/ended") == {"threadId": thread}
        resumed = watching.call("thread/resume", {"threadId": thread, "follow": True})
        assert resumed["following"] is None
        assert len(resumed["thread"]["turns"]) == 2
        watching.turn(thread, "Third.")


@requirement("DX-10")
def test_whoever_follows_learns_that_the_other_process_was_killed(daedal: Daedal, model):
    server = model([stall(after=4), say("Again.")])
    with Child(daedal) as driving, Child(daedal) as watching:
        driving.hello()
        watching.hello()
        thread = driving.thread()
        begin(driving, thread)
        server.wait_for_stall()
        opened = watching.call("thread/resume", {"threadId": thread, "follow": True})
        assert opened["thread"]["status"]["type"] == "active"
        driving.process.send_signal(signal.SIGKILL)
        watching.event("thread/follow/ended")
        watching.call("thread/resume", {"threadId": thread})
        watching.turn(thread, "And now?")


def test_a_rewind_elsewhere_is_told_too(daedal: Daedal, model):
    model([say("One."), say("Two.")])
    with Child(daedal) as driving, Child(daedal) as watching:
        driving.hello()
        watching.hello(daedal=True)
        thread = driving.thread()
        driving.turn(thread, "First.")
        driving.turn(thread, "Second.")
        turns = watching.call("thread/resume", {"threadId": thread, "follow": True})["thread"]["turns"]
        done = driving.call("thread/rewind", {"threadId": thread, "beforeTurnId": turns[1]["id"]})
        told = watching.event("thread/rewound")
        assert (told["turnId"], told["turns"]) == (done["turnId"], [turns[1]["id"]])
        assert watching.call("thread/unsubscribe", {"threadId": thread}) == {"status": "unsubscribed"}
