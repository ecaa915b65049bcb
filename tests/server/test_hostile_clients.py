"""What can a client do that means harm, or is merely careless? Nothing beyond what the person and their settings allow.

Whoever can open a connection acts for the person. So these are about what even they must not get: what an administrator
forbids, keys, files that are closed; and about who gets no connection at all, and what makes no server fall over.
"""

import json
import os
import threading
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from tests.journeys.test_bad_input import configure
from tests.journeys.test_hostile_rules import managed
from tests.server.test_listening import ANYWHERE, asked_plainly
from tests.toolbox.model_server import call, say, stall
from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement
from tests.toolbox.wire_client import Child, Server

INVALID, PARAMS, REFUSED = -32700, -32602, -32000
TOKEN = "a-token-of-the-test-0123456789"
WRITTEN_OUT = ("written-out-secret-1", "written-out-secret-2", "written-out-secret-3")
LOOKS_LIKE_ONE = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"
SAVED = "sk-saved-key-0123456789abcdef"
KEYS = f"""
[[plugins]]
name = "one"
command = "/bin/true"
env = {{ GITHUB_TOKEN = "{WRITTEN_OUT[0]}" }}
[[plugins]]
name = "two"
url = "http://127.0.0.1:9/mcp?key={WRITTEN_OUT[1]}"
headers = {{ Authorization = "Bearer {WRITTEN_OUT[2]}" }}
[[hooks]]
hook_event_name = "Stop"
command = "true {LOOKS_LIKE_ONE} {SAVED}"
"""


@pytest.fixture
def keys(daedal: Daedal) -> Path:
    """A home with keys in it: saved, and written where they do not belong."""
    configure(daedal, KEYS)
    path = daedal.home / ".daedal" / ".env"
    path.write_text(f"OPENAI_API_KEY={SAVED}\n")
    return path


@requirement("FA-01")
@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Authorization": "Bearer "},
        {"Authorization": f"Bearer {TOKEN}x"},
        {"Authorization": f"Basic {TOKEN}"},
        {"Cookie": f"token={TOKEN}"},
        {"Authorization": f"Bearer {TOKEN}", "Origin": "null"},
        {"Authorization": f"Bearer {TOKEN}", "Origin": "http://localhost:3000"},
        {"Authorization": f"Bearer {TOKEN}", "Origin": "https://attacker.example"},
    ],
)
def test_without_the_token_or_from_a_page_nothing_is_reached(daedal: Daedal, tmp_path: Path, headers: dict[str, str]):
    (tmp_path / "token").write_text(TOKEN)
    with Server(daedal, ANYWHERE, "--token-file", str(tmp_path / "token")) as server:
        for path in ("", f"/?token={TOKEN}", f"/{TOKEN}"):
            with pytest.raises(InvalidStatus) as refused, connect(server.address + path, additional_headers=headers):
                pass
            assert refused.value.response.status_code in (401, 403)


@pytest.mark.parametrize(
    "host", ["127.0.0.1.attacker.example", "127.attacker.example:80", "localhost.attacker.example"]
)
def test_a_name_that_only_begins_like_this_machine_is_not_this_machine(daedal: Daedal, tmp_path: Path, host: str):
    (tmp_path / "token").write_text(TOKEN)
    with Server(daedal, ANYWHERE, "--token-file", str(tmp_path / "token")) as server:
        assert asked_plainly(server.address, "/healthz", host) == 421
        assert asked_plainly(server.address, "/healthz", "127.0.0.1:1") == 200


@requirement("SD-15")
@pytest.mark.parametrize(
    "text", ['[permissions]\ndisableBypassPermissionsMode = "disable"\n', "[sandbox]\nenabled = true\n"]
)
def test_walls_that_an_administrator_wants_stand_whatever_a_client_says(
    daedal: Daedal, model, tmp_path: Path, text: str
):
    outside = tmp_path / "outside"
    outside.mkdir()
    (tmp_path / "tmp").mkdir()
    daedal.env.update(TMPDIR=str(tmp_path / "tmp"), DAEDAL_NO_SANDBOX="1")
    model([])
    house = managed(daedal, tmp_path, text)
    with Child(house) as client:
        client.hello()
        opened = client.call("thread/start", {"sandbox": "danger-full-access", "approvalPolicy": "yolo"})
        thread = opened["thread"]["id"]
        assert opened["sandbox"]["type"] == "workspaceWrite"
        assert "danger-full-access is switched off" in opened["notices"][0]
        wish = {"threadId": thread, "sandboxPolicy": {"type": "dangerFullAccess"}}
        assert "switched off" in client.fails("thread/settings/update", wish)["message"]
        client.call("thread/shellCommand", {"threadId": thread, "command": f"touch {outside}/made"})
        client.event("turn/completed")
        copy = client.call("thread/fork", {"threadId": thread, "sandbox": "danger-full-access"})
        assert copy["sandbox"]["type"] == "workspaceWrite"
        client.call("thread/shellCommand", {"threadId": copy["thread"]["id"], "command": f"touch {outside}/made"})
        client.event("turn/completed")
    assert list(outside.iterdir()) == []


@requirement("SD-15")
def test_rules_of_an_administrator_hold_for_a_command_that_a_person_types(daedal: Daedal, model, tmp_path: Path):
    model([])
    rules = '[permissions]\nallowManagedPermissionRulesOnly = true\ndeny = ["Bash(touch:*)", "Read(closed)"]\n'
    house = managed(daedal, tmp_path, rules)
    (daedal.workspace / "closed").write_text("closed\n")
    with Child(house) as client:
        client.hello(daedal=True)
        thread = client.thread(allow=["Bash(touch:*)", "Bash"], permissionMode="bypassPermissions")
        rule = {"list": "deny", "rule": "Bash(touch:*)", "threadId": thread, "scope": "session", "remove": True}
        client.call("permission/write", rule)
        for command in ("touch made", "true && touch made", "sh -c 'touch made'", "env touch made", "(touch made)"):
            client.call("thread/shellCommand", {"threadId": thread, "command": command})
            client.event("turn/completed")
        assert not (daedal.workspace / "made").exists()
        told = client.call("thread/toolCall", {"threadId": thread, "tool": "Read", "input": {"file_path": "closed"}})
        assert told["isError"]


@requirement("FA-01")
def test_no_lookup_tells_a_key(daedal: Daedal, model, keys: Path):
    model([say("Hello.")])
    with Child(daedal) as client:
        client.hello(daedal=True)
        thread = client.thread()
        client.turn(thread)
        asked: list[tuple[str, dict[str, Any]]] = [
            ("config/read", {}),
            ("config/read", {"includeLayers": True, "cwd": str(daedal.workspace)}),
            ("hooks/list", {}),
            ("thread/hookRuns/list", {"threadId": thread}),
            ("mcpServerStatus/list", {}),
            ("permission/list", {"threadId": thread}),
            ("account/read", {}),
            ("doctor/run", {}),
            ("report/read", {"threadId": thread}),
            ("thread/export", {"threadId": thread}),
            ("trust/read", {}),
        ]
        for method, params in asked:
            told = json.dumps(client.call(method, params))
            assert [key for key in (*WRITTEN_OUT, LOOKS_LIKE_ONE, SAVED) if key in told] == [], method
        assert "REDACTED" in json.dumps(client.call("config/read"))


@requirement("FA-01")
def test_what_is_closed_does_not_come_in_as_an_image_a_mention_or_a_skill(daedal: Daedal, model, keys: Path):
    server = model(lambda request: say("Seen."))
    (daedal.workspace / "link.png").symlink_to(keys)
    (daedal.workspace / "folder").symlink_to(keys.parent)
    os.mkfifo(daedal.workspace / "pipe.png")
    with Child(daedal) as client:
        client.hello()
        thread = client.thread()
        for path in (
            str(keys),
            "~/.daedal/.env",
            "link.png",
            "folder/.env",
            "folder/daedal.db",
            "/dev/zero",
            "pipe.png",
        ):
            given = {"threadId": thread, "input": [{"type": "localImage", "path": path}]}
            assert client.fails("turn/start", given)["code"] == REFUSED, path
            given["input"] = [{"type": "image", "url": f"file://{path}"}]
            assert client.fails("turn/start", given)["code"] == REFUSED, path
        for given in (
            {"type": "mention", "name": "x", "path": str(keys)},
            {"type": "mention", "name": "x", "path": "folder/.env"},
            {"type": "mention", "name": "x", "path": f"a b @{keys}"},
            {"type": "text", "text": f"Look at @link.png and @{keys}"},
        ):
            client.call("turn/start", {"threadId": thread, "input": [given]})
            client.event("turn/completed")
    assert server.requests
    assert all(SAVED.encode() not in request.body for request in server.requests)


FOLDERS = ("agent/list", "command/list", "config/read", "doctor/run", "memory/list", "repository/read", "trust/read")


@requirement("FA-01")
def test_odd_values_are_refused_in_words_and_the_server_lives_on(daedal: Daedal, model):
    model(lambda request: say("Hello."))
    with Child(daedal) as client:
        client.hello(daedal=True)
        thread = client.thread()
        client.turn(thread)
        for method in (*FOLDERS, "thread/start", "thread/fork", "setting/write", "trust/write"):
            needed = {"threadId": thread, "key": "default_model", "trusted": False}
            assert client.fails(method, {**needed, "cwd": "a\0b"})["code"] == PARAMS, method
        for method in ("skills/list", "hooks/list"):
            assert client.fails(method, {"cwds": ["a\0b"]})["code"] == PARAMS
            assert client.fails(method, {"cwds": ["."] * 1_000_000})["code"] == PARAMS
        for limit in (-(2**63), -1, 0, 2**63 - 1):
            for method in ("thread/list", "thread/turns/list", "model/list", "mcpServerStatus/list", "receipt/list"):
                client.call(method, {"threadId": thread, "limit": limit})
        for method in ("thread/list", "thread/turns/list"):
            assert client.fails(method, {"threadId": thread, "cursor": "9" * 5000})["code"] == REFUSED
        assert client.call("model/list", {"cursor": "9" * 5000})["data"]
        for number in ("1e309", "-1e999"):
            client.send_bytes(
                b'{"id":1,"method":"thread/start","params":{"limits":{"maxBudgetUsd":%s}}}\n' % number.encode()
            )
            assert client.wait(lambda message: "method" not in message)["error"]["code"] == INVALID
        client.send_bytes(b'{"id":1,"method":"thread/name/set","params":{"threadId":"x","name":"\\ud800 half"}}\n')
        assert client.wait(lambda message: "method" not in message)["error"]["code"] == INVALID
        assert client.turn(thread)["turn"]["status"] == "completed"


def test_the_ids_of_one_thread_open_nothing_in_another(daedal: Daedal, model):
    server = model([stall(), stall()])
    with Child(daedal) as client:
        client.hello(daedal=True)
        one, other = client.thread(), client.thread()
        turns = {}
        for thread in (one, other):
            begun = client.call("turn/start", {"threadId": thread, "input": [{"type": "text", "text": "Go."}]})
            turns[thread] = begun["turn"]["id"]
        server.wait_for_requests(2)
        crossed = {"threadId": one, "turnId": turns[other]}
        assert client.fails("turn/interrupt", crossed)["code"] == REFUSED
        steer = {"threadId": one, "expectedTurnId": turns[other], "input": [{"type": "text", "text": "Stop."}]}
        assert client.fails("turn/steer", steer)["code"] == REFUSED
        back = {"threadId": one, "beforeTurnId": turns[other]}
        assert client.fails("thread/rewind", back)["code"] == REFUSED
        for thread in (one, other):
            client.call("turn/interrupt", {"threadId": thread, "turnId": turns[thread]})
            client.wait(lambda message: message.get("method") == "turn/completed")
        assert client.fails("thread/rewind", back)["code"] == REFUSED


def test_a_sub_agents_thread_is_nobodys_to_drive(daedal: Daedal, model):
    def reply(request: Any) -> Any:
        said = str(request.json["messages"])
        is_sub_agent = "Slow work" in said and "Delegate." not in said
        task = {"description": "x", "prompt": "Slow work", "subagent_type": "general-purpose"}
        return stall() if is_sub_agent else call("Agent", **task)

    server = model(reply)
    with Child(daedal) as client:
        client.hello(daedal=True)
        thread = client.thread(approvalPolicy="auto")
        begun = client.call("turn/start", {"threadId": thread, "input": [{"type": "text", "text": "Delegate."}]})
        sub = client.wait(lambda one: one.get("method") == "thread/started" and one["params"]["thread"]["id"] != thread)
        server.wait_for_stall()
        words = [{"type": "text", "text": "x"}]
        for method, params in (
            ("turn/start", {"input": words}),
            ("thread/shellCommand", {"command": "touch made"}),
            ("thread/toolCall", {"tool": "Bash", "input": {"command": "touch made"}}),
            ("thread/settings/update", {"permissionMode": "bypassPermissions"}),
            ("thread/rewind", {"beforeTurnId": begun["turn"]["id"]}),
            ("thread/goal/set", {"objective": "Something else."}),
            ("thread/fork", {"sandbox": "danger-full-access"}),
            ("review/start", {"target": {"type": "uncommittedChanges"}}),
        ):
            answer = client.fails(method, {"threadId": sub["params"]["thread"]["id"], **params})
            assert answer["code"] == REFUSED, method
        client.call("turn/interrupt", {"threadId": thread, "turnId": begun["turn"]["id"]})
        ended = client.wait(lambda one: one.get("method") == "turn/completed" and one["params"]["threadId"] == thread)
        assert ended["params"]["turn"]["status"] == "interrupted"
    assert not (daedal.workspace / "made").exists()


def test_a_rewind_never_writes_through_a_link_that_was_put_in_a_files_place(daedal: Daedal, model):
    elsewhere = daedal.root / "elsewhere"
    elsewhere.mkdir()
    for path in (elsewhere / "notes.txt", elsewhere / "inner.txt"):
        path.write_text("untouched\n")
    notes, inner = daedal.workspace / "notes.txt", daedal.workspace / "sub" / "inner.txt"
    changes = [call("Write", file_path=str(path), content="new\n") for path in (notes, inner)]
    model([*changes, say("Written.")])
    with Child(daedal) as client:
        client.hello(daedal=True)
        thread = client.thread(approvalPolicy="auto")
        turn = client.turn(thread)["turn"]["id"]
        assert inner.read_text() == "new\n"
        notes.unlink()
        notes.symlink_to(elsewhere / "notes.txt")
        inner.unlink()
        inner.parent.rmdir()
        inner.parent.symlink_to(elsewhere)
        told = client.call("thread/rewind", {"threadId": thread, "beforeTurnId": turn, "force": True})
        assert [(kept["path"], kept["why"]) for kept in told["kept"]] == [(str(inner), "protected")]
    assert {path.read_text() for path in elsewhere.iterdir()} == {"untouched\n"}


@requirement("FA-01")
def test_clients_that_race_for_one_thread_leave_it_whole(daedal: Daedal, model, tmp_path: Path):
    model(lambda request: say("Hello.", 5))
    with Server(daedal, f"unix://{tmp_path}/s") as server:
        first = server.client(daedal=True)
        thread = first.thread(approvalPolicy="auto")
        turn = first.turn(thread)["turn"]["id"]
        wishes: list[tuple[str, dict[str, Any]]] = [
            ("turn/start", {"input": [{"type": "text", "text": "Go."}]}),
            ("turn/start", {"input": [{"type": "text", "text": "Later."}], "whenBusy": "queue"}),
            ("thread/settings/update", {"permissionMode": "plan"}),
            ("thread/settings/update", {"permissionMode": "acceptEdits", "sandboxPolicy": {"type": "readOnly"}}),
            ("thread/settings/update", {"sandboxPolicy": {"type": "workspaceWrite"}, "approvalPolicy": "ask"}),
            ("thread/rewind", {"beforeTurnId": turn, "conversation": True}),
            ("thread/shellCommand", {"command": "true"}),
            ("thread/compact/start", {}),
            ("thread/goal/set", {"objective": "Be done.", "status": "paused", "defer": True}),
            ("thread/goal/clear", {}),
            ("thread/rewind/list", {}),
            ("thread/read", {"includeTurns": True}),
        ]
        codes: list[int] = []

        def rush(shift: int) -> None:
            client = server.client(daedal=True)
            client.call("thread/resume", {"threadId": thread})
            numbers = [
                client.ask(method, {"threadId": thread, **params})
                for method, params in (wishes[shift:] + wishes[:shift]) * 3
            ]
            waiting = set(numbers)
            while waiting:
                message = client.wait(lambda one: "method" not in one and one.get("id") in waiting)
                waiting.discard(message["id"])
                codes.append(message.get("error", {}).get("code", 0))

        racers = [threading.Thread(target=rush, args=(shift,)) for shift in (0, 4, 8)]
        for racer in racers:
            racer.start()
        for racer in racers:
            racer.join()
        assert len(codes) == 3 * 3 * len(wishes)
        assert set(codes) <= {0, REFUSED}
        last = server.client(daedal=True)
        last.call("thread/resume", {"threadId": thread})
        last.call("thread/settings/update", {"threadId": thread, "permissionMode": "default"})
        begun = {"threadId": thread, "input": [{"type": "text", "text": "Still there?"}], "whenBusy": "queue"}
        wanted = last.call("turn/start", begun)["turn"]["id"]
        ended = last.wait(lambda one: one.get("method") == "turn/completed" and one["params"]["turn"]["id"] == wanted)
        assert ended["params"]["turn"]["status"] == "completed"
