"""Can another program drive Daedal? `daedal app-server`, in the words of the Codex app-server."""

import json
from pathlib import Path
from typing import Any

from tests.journeys.test_bad_input import configure
from tests.toolbox.model_server import call, fail, say, stall
from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement
from tests.toolbox.wire_client import Child, WireClient

CONVERSATION = Path(__file__).parent.parent / "server" / "codex_conversation.jsonl"
TOUCH = call("Bash", command="touch made")


def said(text: str) -> list[dict[str, Any]]:
    return [{"type": "text", "text": text}]


def begin(client: WireClient, thread: str, text: str = "Go.", **options: Any) -> str:
    return client.call("turn/start", {"threadId": thread, "input": said(text), **options})["turn"]["id"]


@requirement("FA-01", "DX-10")
def test_a_recorded_conversation_of_a_codex_client_is_accepted(daedal: Daedal, model):
    model([say("plain"), call("Bash", command="touch q1"), say("Done."), stall(after=4)])
    names: dict[str, Any] = {}
    with Child(daedal) as client:
        for line in CONVERSATION.read_text().splitlines():
            step = json.loads(line)
            if ">" in step:
                client.send(**filled(step[">"], names))
            else:
                matched(client, filled(step["<"], names), names)
        assert client.leave() == 0
    assert (daedal.workspace / "q1").exists()


def filled(pattern: Any, names: dict[str, Any]) -> Any:
    if isinstance(pattern, dict):
        return {key: filled(value, names) for key, value in pattern.items()}
    if isinstance(pattern, list):
        return [filled(value, names) for value in pattern]
    return names.get(pattern, pattern) if isinstance(pattern, str) else pattern


def matched(client: WireClient, pattern: dict[str, Any], names: dict[str, Any]) -> None:
    """The next message that has the pattern's method or id; all that the pattern says must be in it."""
    key = "method" if "method" in pattern else "id"
    message = client.wait(lambda one: one.get(key) == pattern[key] and ("method" in one) == ("method" in pattern))
    contains(message, pattern, names)


def contains(value: Any, pattern: Any, names: dict[str, Any]) -> None:
    if isinstance(pattern, dict):
        for key, inner in pattern.items():
            assert key in value, (key, value)
            contains(value[key], inner, names)
    elif isinstance(pattern, str) and pattern.startswith("$"):
        names[pattern] = value
    else:
        assert value == pattern, (value, pattern)


@requirement("FA-01")
def test_a_turn_tells_what_happens_in_the_order_of_codex(daedal: Daedal, model):
    model([say("Hello.")])
    with Child(daedal) as client:
        client.hello()
        thread = client.thread()
        assert client.turn(thread)["turn"]["status"] == "completed"
        assert client.methods() == [
            "thread/started",
            "thread/status/changed",
            "turn/started",
            "item/started",
            "item/completed",
            "item/started",
            "item/agentMessage/delta",
            "item/completed",
            "thread/tokenUsage/updated",
            "thread/status/changed",
            "turn/completed",
        ]
        numbers = [message["sequence"] for message in client.seen if "sequence" in message]
        assert numbers == list(range(1, len(numbers) + 1))


def test_the_answer_to_an_opening_request_comes_before_any_event_of_its_thread(daedal: Daedal, model):
    model([say("Hello.")])
    with Child(daedal) as client:
        client.hello()
        number = client.ask("thread/start", {})
        assert client.next()["id"] == number
        assert client.next()["method"] == "thread/started"


def test_an_approval_can_be_declined_and_the_turn_goes_on(daedal: Daedal, model):
    model([TOUCH, say("As you like.")])
    with Child(daedal) as client:
        client.hello()
        begin(client, client.thread())
        asked = client.asked("item/commandExecution/requestApproval")
        assert asked["params"]["command"] == "/bin/bash -lc 'touch made'"
        client.send(id=asked["id"], result={"decision": "decline"})
        assert client.event("serverRequest/resolved")["requestId"] == asked["id"]
        assert client.event("item/completed")["item"]["status"] == "declined"
        assert client.event("turn/completed")["turn"]["status"] == "completed"
    assert not (daedal.workspace / "made").exists()


def test_cancelling_an_approval_interrupts_the_turn(daedal: Daedal, model):
    model([TOUCH])
    with Child(daedal) as client:
        client.hello()
        begin(client, client.thread())
        client.send(id=client.asked()["id"], result={"decision": "cancel"})
        assert client.event("turn/completed")["turn"]["status"] == "interrupted"


def test_a_failure_is_told_as_an_error_and_then_the_turn_is_over(daedal: Daedal, model):
    model([fail(401)])
    with Child(daedal) as client:
        client.hello()
        begin(client, client.thread())
        error = client.event("error")
        assert (error["willRetry"], error["error"]["codexErrorInfo"]) == (False, "unauthorized")
        assert client.event("turn/completed")["turn"]["status"] == "failed"


@requirement("FA-01")
def test_a_running_turn_is_steered(daedal: Daedal, model):
    server = model([TOUCH, say("Blue it is.")])
    with Child(daedal) as client:
        client.hello()
        thread = client.thread()
        turn = begin(client, thread, "Paint it red.")
        asked = client.asked()
        assert client.fails("turn/steer", {"threadId": thread, "expectedTurnId": "other", "input": said("x")})
        steered = client.call("turn/steer", {"threadId": thread, "expectedTurnId": turn, "input": said("Blue!")})
        assert steered == {"turnId": turn}
        client.send(id=asked["id"], result={"decision": "accept"})
        assert client.event("turn/completed")["turn"]["id"] == turn
    assert "Blue!" in json.dumps(server.requests[-1].json)
    assert "Blue!" not in json.dumps(server.requests[0].json)


@requirement("FA-01")
def test_a_second_input_is_never_merged_silently_but_queued_on_request(daedal: Daedal, model):
    server = model([stall(), say("Second."), say("Third.")])
    with Child(daedal) as client:
        client.hello()
        thread = client.thread()
        first = begin(client, thread, "One.")
        server.wait_for_stall()
        refusal = client.fails("turn/start", {"threadId": thread, "input": said("Two.")})
        assert "already working" in refusal["message"]
        second = begin(client, thread, "Two.", whenBusy="queue")
        third = begin(client, thread, "Three.", whenBusy="queue")
        dropped = begin(client, thread, "Four.", whenBusy="queue")
        client.call("turn/interrupt", {"threadId": thread, "turnId": dropped})
        client.call("turn/interrupt", {"threadId": thread, "turnId": first})
        ended: list[tuple[str, str]] = []
        while len(ended) < 4:
            client.next()
            turns = [one["params"]["turn"] for one in client.seen if one.get("method") == "turn/completed"]
            ended = [(turn["id"], turn["status"]) for turn in turns]
    assert ended == [
        (dropped, "interrupted"),
        (first, "interrupted"),
        (second, "completed"),
        (third, "completed"),
    ]


@requirement("FA-01")
def test_threads_are_listed_read_copied_named_and_put_aside(daedal: Daedal, model):
    server = model([say("One."), say("Two."), say("In the copy.")])
    with Child(daedal) as client:
        client.hello()
        thread = client.thread()
        first = client.turn(thread, "First.")["turn"]["id"]
        client.turn(thread, "Second.")
        copy = client.call("thread/fork", {"threadId": thread, "lastTurnId": first})["thread"]
        assert copy["forkedFromId"] == thread
        assert [item["type"] for turn in copy["turns"] for item in turn["items"]] == ["userMessage", "agentMessage"]
        client.turn(copy["id"], "Third.")
        sent = json.dumps(server.requests[-1].json)
        assert "First." in sent
        assert "Second." not in sent
        client.call("thread/name/set", {"threadId": thread, "name": "The plan"})
        client.call("thread/archive", {"threadId": copy["id"]})
        assert [(one["id"], one["name"]) for one in client.call("thread/list")["data"]] == [(thread, "The plan")]
        assert [one["id"] for one in client.call("thread/list", {"archived": True})["data"]] == [copy["id"]]
        assert client.call("thread/unarchive", {"threadId": copy["id"]})["thread"]["status"] == {
            "type": "notLoaded",
            "activeFlags": [],
        }
        read = client.call("thread/read", {"threadId": thread, "includeTurns": True})["thread"]
        assert len(read["turns"]) == 2
    with Child(daedal) as later:
        later.hello()
        again = later.call("thread/resume", {"threadId": thread})["thread"]
        assert [turn["items"] for turn in again["turns"]] == [turn["items"] for turn in read["turns"]]


def test_what_was_seen_live_is_read_back_under_the_same_names(daedal: Daedal, model):
    model([TOUCH, say("Done.")])
    with Child(daedal) as client:
        client.hello()
        thread = client.thread(approvalPolicy="yolo")
        client.turn(thread)
        live = [one["params"]["item"]["id"] for one in client.seen if one.get("method") == "item/completed"]
        read = client.call("thread/read", {"threadId": thread, "includeTurns": True})["thread"]["turns"][0]
    assert [item["id"] for item in read["items"]] == live


def test_a_review_is_a_turn_between_two_items(daedal: Daedal, model):
    server = model([say("Line 3 is wrong.")])
    with Child(daedal) as client:
        client.hello()
        thread = client.thread()
        target = {"type": "baseBranch", "branch": "main"}
        started = client.call("review/start", {"threadId": thread, "target": target})
        assert started["reviewThreadId"] == thread
        assert client.event("turn/completed")["turn"]["id"] == started["turn"]["id"]
        items = [one["params"]["item"] for one in client.seen if one.get("method") == "item/completed"]
        assert [item["review"] for item in items if item["type"] == "exitedReviewMode"] == ["Line 3 is wrong."]
        assert "main" in next(item["review"] for item in items if item["type"] == "enteredReviewMode")
    assert "against main" in json.dumps(server.requests[0].json)


def test_settings_and_records_can_be_looked_up_without_secrets(daedal: Daedal, model):
    model([TOUCH, say("Done.")])
    configure(daedal, '[agent]\nsystem_prompt = "Be brief."\n')
    daedal.env["ANTHROPIC_API_KEY"] = "sk-very-secret-key-1234567890"
    with Child(daedal) as client:
        client.hello()
        thread = client.thread(approvalPolicy="yolo")
        client.turn(thread)
        told = client.call("config/read")
        assert told["config"]["agent"]["system_prompt"] == "Be brief."
        assert client.call("thread/verdicts/list", {"threadId": thread})["data"][0]["toolName"] == "Bash"
        assert client.call("thread/hookRuns/list")["data"] == []
        receipts = client.call("receipt/list", {"threadId": thread})
        assert (receipts["isWhole"], len(receipts["data"]) > 0) == (True, True)
        assert any(one["isDefault"] for one in client.call("model/list")["data"])
        assert "sk-very-secret" not in json.dumps(client.seen)


def test_the_end_of_input_ends_the_server_and_its_turns(daedal: Daedal, model):
    server = model([stall()])
    with Child(daedal) as client:
        client.hello()
        begin(client, client.thread())
        server.wait_for_stall()
        assert client.leave() == 0
    assert daedal.rows("SELECT status FROM turns") == [("interrupted",)]


@requirement("FA-01")
def test_a_thread_is_compacted_and_goes_on_from_its_summary_also_after_a_restart(daedal: Daedal, model):
    server = model([say("One."), say("We spoke of apples."), say("Two."), say("Three.")])
    with Child(daedal) as client:
        client.hello()
        thread = client.thread()
        assert client.fails("thread/compact/start", {"threadId": thread})
        client.turn(thread, "Apples, please.")
        client.seen.clear()
        assert client.call("thread/compact/start", {"threadId": thread}) == {}
        assert client.event("turn/completed")["turn"]["status"] == "completed"
        types = [one["params"]["item"]["type"] for one in client.seen if one.get("method") == "item/completed"]
        assert types == ["contextCompaction"]
        client.turn(thread, "Go on.")
    with Child(daedal) as later:
        later.hello()
        turns = later.call("thread/resume", {"threadId": thread})["thread"]["turns"]
        assert [item["type"] for item in turns[1]["items"]] == ["contextCompaction"]
        later.turn(thread, "And on.")
    for request in server.requests[-2:]:
        sent = json.dumps(request.json)
        assert "We spoke of apples." in sent
        assert "Apples, please." in sent
        assert "One." not in sent


def test_a_compaction_that_fails_leaves_the_thread_as_it_was(daedal: Daedal, model):
    server = model([say("One."), fail(400), say("Two.")])
    with Child(daedal) as client:
        client.hello()
        thread = client.thread()
        client.turn(thread, "Apples, please.")
        client.call("thread/compact/start", {"threadId": thread})
        assert client.event("turn/completed")["turn"]["status"] == "failed"
        client.turn(thread, "Go on.")
    sent = json.dumps(server.requests[-1].json)
    assert "Apples, please." in sent
    assert "One." in sent
    assert "sum up" not in sent


@requirement("FA-01")
def test_many_threads_work_side_by_side_and_no_event_is_lost(daedal: Daedal, model):
    model(lambda request: say("Hello."))
    with Child(daedal) as client:
        client.hello()
        threads = [client.thread() for _ in range(40)]
        left = dict.fromkeys(threads, 3)
        for thread in threads:
            client.ask("turn/start", {"threadId": thread, "input": said("Go.")})
        ended: list[str] = []
        while len(ended) < 120:
            told = client.event("turn/completed")
            assert told["turn"]["status"] == "completed"
            ended.append(told["threadId"])
            left[told["threadId"]] -= 1
            if left[told["threadId"]]:
                client.ask("turn/start", {"threadId": told["threadId"], "input": said("Again.")})
        numbers: dict[str, list[int]] = {}
        for message in client.seen:
            if "sequence" in message:
                params = message["params"]
                numbers.setdefault(params.get("threadId") or params["thread"]["id"], []).append(message["sequence"])
    assert set(numbers) == set(threads)
    assert all(row == list(range(1, len(row) + 1)) for row in numbers.values())
    # Nobody is finished before everybody has had a turn.
    assert set(ended[:80]) == set(threads)
