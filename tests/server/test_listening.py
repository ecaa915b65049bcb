"""Who can reach a server that listens? The same user at a unix socket, and on this machine whoever has the token."""

import json
import os
import socket
import stat
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import ClientConnection, connect

from tests.toolbox.model_server import call as tool_call
from tests.toolbox.model_server import say
from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement
from tests.toolbox.wire_client import HELLO, Server

ANYWHERE = "ws://127.0.0.1:0"


@pytest.fixture
def token(daedal: Daedal, tmp_path: Path) -> str:
    file = tmp_path / "token"
    file.write_text("a-token-of-the-test-0123456789\n")
    return str(file)


def bearer(token_file: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {Path(token_file).read_text().strip()}"}


def call(peer: ClientConnection, number: int, method: str, params: Any) -> dict[str, Any]:
    peer.send(json.dumps({"id": number, "method": method, "params": params}))
    while True:
        message = json.loads(peer.recv(timeout=30))
        if message.get("id") == number:
            return message


def refused(address: str, **headers: str) -> int:
    with pytest.raises(InvalidStatus) as trouble, connect(address, additional_headers=headers):
        pass
    return trouble.value.response.status_code


def asked_plainly(address: str, path: str, host: str) -> int:
    """The status, asked for under another name."""
    name, _, port = address.removeprefix("ws://").partition(":")
    with socket.create_connection((name, int(port))) as peer:
        peer.sendall(f"GET {path} HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n".encode())
        peer.sendall(b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n")
        return int(peer.makefile("rb").readline().split()[1])


@requirement("FA-01")
def test_a_websocket_client_with_the_token_runs_a_turn(daedal: Daedal, model, token: str):
    model([say("Over the web.")])
    with (
        Server(daedal, ANYWHERE, "--token-file", token) as server,
        connect(server.address, additional_headers=bearer(token)) as peer,
    ):
        assert "result" in call(peer, 1, "initialize", HELLO)
        thread = call(peer, 2, "thread/start", {})["result"]["thread"]["id"]
        said = [{"type": "text", "text": "Go."}]
        call(peer, 3, "turn/start", {"threadId": thread, "input": said})
        seen: list[str] = []
        while "turn/completed" not in seen:
            seen.append(json.loads(peer.recv(timeout=30))["method"])
        peer.send("nonsense\nin two lines")
        assert json.loads(peer.recv(timeout=30))["error"]["code"] == -32700


@requirement("FA-01", "SD-07")
def test_the_token_reaches_neither_the_model_nor_the_record(daedal: Daedal, model, token: str):
    secret = Path(token).read_text().strip()
    script = model([tool_call("Bash", command=f"cat {token}"), say("Over the web.")])
    with (
        Server(daedal, ANYWHERE, "--token-file", token) as server,
        connect(server.address, additional_headers=bearer(token)) as peer,
    ):
        call(peer, 1, "initialize", HELLO)
        thread = call(peer, 2, "thread/start", {"approvalPolicy": "yolo"})["result"]["thread"]["id"]
        call(peer, 3, "turn/start", {"threadId": thread, "input": [{"type": "text", "text": "Go."}]})
        while json.loads(peer.recv(timeout=30))["method"] != "turn/completed":
            pass
    assert len(script.requests) == 2
    assert secret not in script.requests[1].body.decode()
    assert secret not in str(daedal.entries())


@requirement("FA-01")
def test_a_websocket_needs_the_token_and_no_page_gets_in(daedal: Daedal, token: str):
    with Server(daedal, ANYWHERE, "--token-file", token) as server:
        good = bearer(token)
        assert refused(server.address) == 401
        assert refused(server.address, Authorization="Bearer wrong") == 401
        assert refused(server.address, **good, Origin="https://evil.example") == 403
        assert refused(server.address, **good, Host="evil.example") == 400
        assert asked_plainly(server.address, "/", "evil.example") == 421
        assert asked_plainly(server.address, "/healthz", "localhost") == 200


def test_an_origin_that_was_allowed_gets_in(daedal: Daedal, token: str):
    with Server(daedal, ANYWHERE, "--token-file", token, "--allow-origin", "http://localhost:3000") as server:
        headers = {**bearer(token), "Origin": "http://localhost:3000"}
        with connect(server.address, additional_headers=headers) as peer:
            assert "result" in call(peer, 1, "initialize", HELLO)


def test_a_token_is_made_where_there_is_none_and_only_for_the_user(daedal: Daedal):
    with Server(daedal, ANYWHERE) as server:
        file = daedal.home / ".daedal" / "app-server.token"
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        with connect(server.address, additional_headers=bearer(str(file))) as peer:
            assert "result" in call(peer, 1, "initialize", HELLO)


def test_only_the_user_can_open_the_unix_socket_and_it_is_gone_afterwards(daedal: Daedal, tmp_path: Path):
    path = tmp_path / "s"
    with Server(daedal, f"unix://{path}") as server:
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert server.client().call("thread/list")["data"] == []
        second = daedal("app-server", "--listen", f"unix://{path}")
        assert (second.code, "listening" in second.err) == (2, True)
    assert not path.exists()


def test_the_socket_of_a_killed_server_is_replaced_but_nothing_else_is(daedal: Daedal, tmp_path: Path):
    path = tmp_path / "s"
    left = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    left.bind(str(path))
    left.close()
    with Server(daedal, f"unix://{path}") as server:
        assert server.client().call("thread/list")["data"] == []
    path.write_text("precious")
    refused = daedal("app-server", "--listen", f"unix://{path}")
    assert (refused.code, path.read_text()) == (2, "precious")


@pytest.mark.parametrize(
    "address",
    [
        "ws://0.0.0.0:0",
        "ws://192.168.1.5:80",
        "ws://example.org:1",
        "http://127.0.0.1:1",
        "ws://",
        "unix://",
        "x",
        "ws://127.0.0.1:99999",
    ],
)
def test_an_address_that_is_none_or_open_to_others_is_refused(daedal: Daedal, address: str):
    refused = daedal("app-server", "--listen", address)
    assert refused.code == 2
    assert "Traceback" not in refused.err
    assert os.listdir(daedal.workspace) == []


def test_a_short_token_is_refused(daedal: Daedal, tmp_path: Path):
    file = tmp_path / "short"
    file.write_text("1234")
    refused = daedal("app-server", "--listen", ANYWHERE, "--token-file", str(file))
    assert (refused.code, "shorter" in refused.err) == (2, True)
