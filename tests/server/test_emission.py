"""Does everything that we say hold before the schema of the real codex? A long conversation, message by message."""

import json
from pathlib import Path
from typing import Any

from jsonschema import Draft7Validator

from tests.server.surface import ANSWERED, ASKED, TOLD
from tests.toolbox.model_server import call, fail, say, stall
from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement
from tests.toolbox.wire_client import Child, WireClient

CODEX = json.loads(Path(__file__).with_name("codex_schema.json").read_text())
QUESTION = {"question": "Which?", "header": "Which", "multiSelect": False, "options": [{"label": "A"}, {"label": "B"}]}
TODO = {"content": "Look", "status": "in_progress", "activeForm": "Looking"}

OURS = {
    "thread/verdicts/list": "what the gate decided; Codex keeps no such record",
    "thread/hookRuns/list": "what hooks did",
    "receipt/list": "the audit chain",
    "turn/continue": "a turn that was cut off goes on",
    "thread/settings/update": "Codex has it behind experimentalApi, and answers nothing; we answer what holds",
}
"""Methods that Codex does not have, used here; their answers are checked by our own schema."""


def validator(kind: str, method: str) -> Draft7Validator:
    return Draft7Validator({**CODEX[kind][method], "definitions": CODEX["definitions"]})


def troubles(client: WireClient, methods: dict[int, str]) -> list[str]:
    """What of everything that the client has seen does not validate."""
    found: list[str] = []
    for message in client.seen:
        if "method" in message and "id" in message:
            kind, method, value = "serverRequests", message["method"], message["params"]
        elif "method" in message:
            kind, method, value = "notifications", message["method"], message["params"]
        elif "error" in message:
            continue
        else:
            kind, method, value = "answers", methods[message["id"]], message["result"]
        if kind == "answers" and method in OURS:
            continue
        if method not in CODEX[kind]:
            found.append(f"{kind} {method}: codex has none")
            continue
        found += [
            f"{kind} {method}: {error.json_path}: {error.message[:200]}"
            for error in validator(kind, method).iter_errors(value)
        ]
    return sorted(set(found))


class Noting(Child):
    """Remembers what each request was."""

    def __init__(self, *words: Any) -> None:
        self.asked_methods: dict[int, str] = {}
        super().__init__(*words)

    def ask(self, method: str, params: Any = None) -> int:
        number = super().ask(method, params)
        self.asked_methods[number] = method
        return number


def begin(client: WireClient, thread_id: str, text: str = "Go.") -> str:
    said = [{"type": "text", "text": text}]
    return client.call("turn/start", {"threadId": thread_id, "input": said})["turn"]["id"]


GIVEN: dict[str, dict[str, Any]] = {
    "item/commandExecution/requestApproval": {"decision": "accept"},
    "item/fileChange/requestApproval": {"decision": "acceptForSession"},
    "mcpServer/elicitation/request": {"action": "decline"},
    "item/tool/requestUserInput": {"answers": {"0": {"answers": ["A"]}}},
}


def finish(client: WireClient) -> dict[str, Any]:
    """Answers whatever is asked until the turn is over."""
    while True:
        message = client.wait(lambda one: one.get("method") in {*GIVEN, "turn/completed"})
        if "id" not in message:
            return message["params"]
        client.send(id=message["id"], result=GIVEN[message["method"]])


@requirement("FA-01", "DX-10")
def test_every_message_of_a_long_conversation_holds_before_the_schema_of_codex(daedal: Daedal, model):
    server = model(
        [
            say("Hello.", chunks=3),
            call("Bash", command="echo hi"),
            call("Write", file_path=str(daedal.workspace / "new.txt"), content="one\ntwo\n"),
            call("Edit", file_path=str(daedal.workspace / "new.txt"), old_string="one", new_string="uno"),
            call("WebFetch", url="http://127.0.0.1:9/", prompt="p"),
            call("TodoWrite", todos=[TODO]),
            call("AskUserQuestion", questions=[QUESTION]),
            call("Read", file_path=str(daedal.workspace / "new.txt")),
            call("Bash", command="exit 3"),
            say("All done."),
            fail(400),
            stall(),
            say("Reviewed: nothing."),
        ]
    )
    with Noting(daedal) as client:
        client.hello()
        thread = client.thread(cwd=str(daedal.workspace))
        client.turn(thread)
        begin(client, thread)
        assert finish(client)["turn"]["status"] == "completed"
        assert client.turn(thread)["turn"]["status"] == "failed"
        turn = begin(client, thread)
        server.wait_for_stall()
        client.call("turn/interrupt", {"threadId": thread, "turnId": turn})
        client.call("review/start", {"threadId": thread, "target": {"type": "uncommittedChanges"}})
        client.event("turn/completed")
        client.call("thread/read", {"threadId": thread, "includeTurns": True})
        client.call("thread/turns/list", {"threadId": thread, "limit": 2})
        client.call("thread/shellCommand", {"threadId": thread, "command": "true"})
        typed = client.event("turn/completed")["turn"]["id"]
        client.call("thread/revert", {"threadId": thread, "beforeTurnId": typed})
        client.call("thread/goal/set", {"threadId": thread, "objective": "Be done.", "status": "paused"})
        client.call("thread/goal/get", {"threadId": thread})
        client.call("thread/goal/clear", {"threadId": thread})
        client.call("thread/settings/update", {"threadId": thread, "permissionMode": "plan", "effort": "high"})
        client.call("thread/name/set", {"threadId": thread, "name": "Trial"})
        copy = client.call("thread/fork", {"threadId": thread})["thread"]["id"]
        client.call("thread/resume", {"threadId": thread})
        client.call("thread/unsubscribe", {"threadId": copy})
        client.call("thread/archive", {"threadId": copy})
        client.call("thread/unarchive", {"threadId": copy})
        for method in ("thread/list", "thread/loaded/list", "model/list", "config/read", "configRequirements/read"):
            client.call(method)
        for method in ("skills/list", "hooks/list", "mcpServerStatus/list", "plugin/list"):
            client.call(method)
        assert troubles(client, client.asked_methods) == []
        told = set(client.methods())
        assert client.leave() == 0
    assert told == set(TOLD) - {"item/reasoning/textDelta", "warning", "account/login/completed", "account/updated"}
    assert {message["method"] for message in client.seen if "id" in message and "method" in message} == set(ASKED)
    elsewhere = {"turn/steer", "thread/compact/start", *(name for name in ANSWERED if name.startswith("account/"))}
    assert set(client.asked_methods.values()) - set(OURS) == set(ANSWERED) - elsewhere


def test_the_yardstick_would_notice_a_wrong_message():
    status = {"threadId": "t", "status": {"type": "asleep"}}
    assert list(validator("notifications", "thread/status/changed").iter_errors(status))
