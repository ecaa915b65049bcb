"""What can a bad client do? Be told what is wrong, or be let go; never harm the server or other clients."""

import json
import socket
from pathlib import Path

import pytest

from tests.journeys.test_bad_input import configure
from tests.toolbox.model_server import call, huge, say
from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement
from tests.toolbox.wire_client import HELLO, Child, Server, WireClient

TOUCH = call("Bash", command="touch made")
PARSE, INVALID, UNKNOWN, PARAMS, REFUSED = -32700, -32600, -32601, -32602, -32000
LINE_BYTES_MAX = 16 * 1024 * 1024


@pytest.fixture
def server(daedal: Daedal, model, tmp_path: Path):
    model([TOUCH, say("Done.")])
    with Server(daedal, f"unix://{tmp_path}/s") as server:
        yield server


def code_of(client: WireClient, line: bytes) -> tuple[object, int]:
    client.send_bytes(line + b"\n")
    message = client.next()
    assert message is not None
    return message["id"], message["error"]["code"]


@requirement("FA-01")
@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"nonsense", PARSE),
        (b'{"id":1,"method":"thread/li', PARSE),
        (b"\xff\xfe", PARSE),
        (b"[" * 100_000, PARSE),
        (b"[1, 2]", INVALID),
        (b'"words"', INVALID),
        (b"{}", INVALID),
        (b'{"id":null,"method":"thread/list"}', INVALID),
        (b'{"id":1.5,"method":"thread/list"}', INVALID),
        (b'{"id":true,"method":"thread/list"}', INVALID),
        (b'{"id":99999999999999999999,"method":"thread/list"}', INVALID),
        (b'{"id":5,"result":{},"error":7}', INVALID),
    ],
)
def test_a_line_that_is_no_message_is_answered_with_what_is_wrong(server: Server, line: bytes, code: int):
    client = server.client()
    assert code_of(client, line) == (None, code)
    assert client.call("thread/list") == {"data": [], "nextCursor": None}


def test_what_is_wrong_with_a_request_is_said_under_its_id(server: Server):
    client = server.client()
    assert code_of(client, b'{"id":"a","method":7}') == ("a", INVALID)
    assert client.fails("no/such/method")["code"] == UNKNOWN
    assert client.fails("thread/list", {"limit": "many"})["code"] == PARAMS
    assert client.fails("thread/list", [1])["code"] == PARAMS
    assert client.fails("turn/start", {"threadId": 7, "input": "x"})["code"] == PARAMS
    assert client.fails("turn/start", {"threadId": "none", "input": []})["code"] == REFUSED
    assert client.fails("thread/read", {"threadId": "none"})["code"] == REFUSED
    assert client.fails("thread/start", {"approvalPolicy": "on-failure"})["code"] == PARAMS
    assert client.fails("thread/start", {"sandbox": "workspaceWrite"})["code"] == PARAMS


def test_nothing_works_before_initialize_and_initialize_only_once(server: Server):
    client = server.connect()
    assert client.fails("thread/list")["code"] == INVALID
    assert client.fails("initialize", {"clientInfo": {"name": "x"}})["code"] == PARAMS
    client.hello()
    assert client.fails("initialize", HELLO)["code"] == INVALID
    assert client.call("thread/list")["data"] == []


@requirement("FA-01")
def test_a_line_of_a_hundred_megabytes_is_refused_in_bounded_memory(server: Server):
    client = server.client()
    piece = b"x" * (1024 * 1024)
    client.send_bytes(b'{"id":1,"method":"')
    for _ in range(100):
        client.send_bytes(piece)
    assert code_of(client, b'"}') == (None, INVALID)
    assert client.call("thread/list")["data"] == []
    peak = next(
        int(line.split()[1])
        for line in Path(f"/proc/{server.process.pid}/status").read_text().splitlines()
        if line.startswith("VmHWM")
    )
    assert peak * 1024 < 160 * 1024 * 1024


def test_half_a_line_at_the_end_is_answered_before_the_server_leaves(daedal: Daedal):
    with Child(daedal) as client:
        client.hello()
        client.send_bytes(b'{"id":1,"method":"thread/li')
        assert client.leave() == 0
        assert client.next() is not None
        assert client.seen[-1]["error"]["code"] == PARSE


def test_a_whole_message_without_a_line_end_is_still_answered(daedal: Daedal):
    with Child(daedal) as client:
        client.send_bytes(json.dumps({"id": 1, "method": "initialize", "params": HELLO}).encode())
        assert client.leave() == 0
        assert client.next() is not None
        assert "result" in client.seen[-1]


def test_an_id_that_is_in_use_is_refused_and_can_be_used_again_later(server: Server):
    client = server.client()
    thread = client.thread()
    client.send(
        id="same",
        method="thread/toolCall",
        params={"threadId": thread, "tool": "Bash", "input": {"command": "touch a"}},
    )
    asked = client.asked()
    client.send(id="same", method="thread/list", params={})
    assert client.wait(lambda one: one.get("id") == "same")["error"]["code"] == INVALID
    client.send(id=asked["id"], result={"decision": "decline"})
    assert "result" in client.wait(lambda one: one.get("id") == "same")
    client.send(id="same", method="thread/list", params={})
    assert "result" in client.wait(lambda one: one.get("id") == "same")


def test_an_answer_to_a_request_that_was_never_made_is_pointed_out(server: Server):
    client = server.client()
    client.send(id=41, result={"decision": "accept"})
    assert "41" in client.event("warning")["message"]
    client.send(id="x", error={"code": 1, "message": "no"})
    assert "x" in client.event("warning")["message"]


@requirement("FA-01")
def test_two_clients_are_asked_the_first_answer_wins_and_both_learn_it(server: Server, daedal: Daedal):
    one, other = server.client(), server.client()
    thread = one.thread()
    other.call("thread/resume", {"threadId": thread})
    one.call("turn/start", {"threadId": thread, "input": [{"type": "text", "text": "Go."}]})
    asked_one, asked_other = one.asked(), other.asked()
    assert asked_one["params"] == asked_other["params"]
    other.send(id=asked_other["id"], result={"decision": "decline"})
    assert other.event("serverRequest/resolved")["requestId"] == asked_other["id"]
    assert one.event("serverRequest/resolved")["requestId"] == asked_one["id"]
    one.send(id=asked_one["id"], result={"decision": "accept"})
    for client in (one, other):
        assert client.event("turn/completed")["turn"]["status"] == "completed"
        assert "warning" not in client.methods()
    assert not (daedal.workspace / "made").exists()


@requirement("FA-01")
def test_a_client_that_leaves_in_the_middle_of_an_approval_is_asked_again_when_it_is_back(
    server: Server, daedal: Daedal
):
    client = server.client()
    thread = client.thread()
    client.call("turn/start", {"threadId": thread, "input": [{"type": "text", "text": "Go."}]})
    first = client.asked()
    client.hang_up()
    assert client.next() is None
    back = server.client()
    back.call("thread/resume", {"threadId": thread})
    again = back.asked()
    assert again["params"] == first["params"]
    back.send(id=again["id"], result={"decision": "accept"})
    assert back.event("turn/completed")["turn"]["status"] == "completed"
    assert (daedal.workspace / "made").exists()


def test_an_answer_that_means_nothing_counts_as_no_answer(server: Server, daedal: Daedal):
    client = server.client()
    thread = client.thread()
    client.call("turn/start", {"threadId": thread, "input": [{"type": "text", "text": "Go."}]})
    client.send(id=client.asked()["id"], result={"decision": "perhaps"})
    assert client.event("turn/completed")["turn"]["status"] == "completed"
    assert not (daedal.workspace / "made").exists()


@requirement("FA-01")
def test_a_client_that_does_not_read_is_let_go_with_a_word_and_others_are_not_kept_waiting(
    daedal: Daedal, model, tmp_path: Path
):
    model([huge(4_000_000)])
    with Server(daedal, f"unix://{tmp_path}/s") as server:
        other = server.client()
        thread = other.thread()
        other.turn(thread)
        slow = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        slow.connect(server.address.removeprefix("unix://"))
        slow.settimeout(60)
        slow.sendall(json.dumps({"id": 0, "method": "initialize", "params": HELLO}).encode() + b"\n")
        for number in range(1, 9):
            params = {"threadId": thread, "includeTurns": True}
            slow.sendall(json.dumps({"id": number, "method": "thread/read", "params": params}).encode() + b"\n")
        assert server.process.stderr is not None
        assert b"did not read" in server.process.stderr.readline()
        assert other.call("thread/loaded/list")["data"] == [thread]
        with slow, slow.makefile("rb") as heard:
            lines = heard.readlines()
    assert sum(map(len, lines)) < 2 * LINE_BYTES_MAX
    assert "did not read" in json.loads(lines[-1])["params"]["message"]


def test_an_approval_that_nobody_answers_is_declined_at_its_deadline(daedal: Daedal, model, tmp_path: Path):
    model([TOUCH, say("Then not.")])
    configure(daedal, "[agent]\napproval_timeout_s = 0.2\n")
    with Server(daedal, f"unix://{tmp_path}/s") as server:
        client = server.client()
        thread = client.thread()
        client.call("turn/start", {"threadId": thread, "input": [{"type": "text", "text": "Go."}]})
        asked = client.asked()
        assert client.event("serverRequest/resolved")["requestId"] == asked["id"]
        assert client.event("turn/completed")["turn"]["status"] == "completed"
    assert not (daedal.workspace / "made").exists()


def test_one_client_too_many_is_told_so_and_the_others_stay(server: Server):
    first = server.client()
    crowd = [server.connect() for _ in range(255)]
    late = server.connect()
    message = late.next()
    assert message is not None
    assert "already" in message["error"]["message"]
    assert late.next() is None
    assert first.call("thread/loaded/list")["data"] == []
    crowd[0].hello()
