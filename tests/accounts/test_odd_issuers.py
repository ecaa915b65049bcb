"""What if an issuer answers nonsense? Then nobody is logged in, somebody is told, and nothing it said is repeated."""

import asyncio
import json
from collections.abc import Coroutine
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daedal.config import Loopback
from daedal.protocol.errors import DaedalError, ProviderError
from daedal.providers import LoginSettings, Net, NetworkSettings, log_in_by_browser, log_in_by_device
from daedal.providers.login import Issuer
from daedal.providers.login.tokens import read_tokens
from tests.toolbox.model_http import Connection, Gone, Listener, whole_response

JSON = st.recursive(
    st.none() | st.booleans() | st.floats(allow_nan=False) | st.integers() | st.text(),
    lambda below: st.lists(below, max_size=3) | st.dictionaries(st.text(max_size=8), below, max_size=3),
    max_leaves=8,
)
KEYS = st.sampled_from(["access_token", "refresh_token", "token_type", "expires_in", "scope"])
ISSUER = Issuer(name="https://issuer.example", token_endpoint="https://issuer.example/token")


@given(st.dictionaries(KEYS, JSON))
def test_whatever_a_token_endpoint_says_is_tokens_or_a_sentence(said: dict[str, Any]):
    try:
        tokens = read_tokens(said, client_id="me", issuer=ISSUER, asked=[])
    except ProviderError:
        return
    for secret in tokens.secrets():
        assert secret.isprintable()
        assert " " not in secret
    assert tokens.lifetime_s is None or tokens.lifetime_s > 0
    assert tokens.is_due() in (True, False)


def within(scenario: Coroutine[Any, Any, Any]) -> Any:
    async def bounded() -> Any:
        async with asyncio.timeout(30):
            return await scenario

    return asyncio.run(bounded())


class Odd:
    """Answers every request with the same bytes."""

    def __init__(self, answer: bytes) -> None:
        self._answer = answer
        self._listener = Listener(self._serve)
        self.url = f"http://127.0.0.1:{self._listener.port}"

    def __enter__(self) -> "Odd":
        return self

    def __exit__(self, *_: object) -> None:
        self._listener.close()

    def _serve(self, connection: Connection) -> None:
        try:
            connection.next_request()
            connection.send(self._answer)
        except Gone:
            pass


SECRET = "access-that-must-not-be-repeated"
ODD = {
    "nothing": b"",
    "no HTTP": b"220 smtp.example ESMTP\r\n\r\n",
    "a page": whole_response(200, b"<html>log in here</html>", {"content-type": "text/html"}),
    "a list": whole_response(200, b"[]", {}),
    "half": b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{",
    "too much": whole_response(200, b'{"a": "' + b"x" * 400_000 + b'"}', {}),
    "elsewhere": whole_response(302, b"", {"location": "https://evil.example/token"}),
    "an error": whole_response(500, json.dumps({"error": SECRET}).encode(), {}),
    "a token of no kind": whole_response(200, json.dumps({"access_token": SECRET, "token_type": "mac"}).encode(), {}),
    "a token with a line": whole_response(200, json.dumps({"access_token": f"{SECRET}\r\nX: y"}).encode(), {}),
    "deep": whole_response(200, b"[" * 100_000, {}),
}


@pytest.mark.parametrize("name", ODD)
def test_an_issuer_that_makes_no_sense_is_a_sentence(name: str):
    with Odd(ODD[name]) as odd:
        settings = LoginSettings(
            provider="acme",
            issuer=odd.url,
            client_id="me",
            token_endpoint=f"{odd.url}/token",
            device_authorization_endpoint=f"{odd.url}/device",
        )
        told: list[object] = []
        with pytest.raises(DaedalError) as trouble:
            within(log_in_by_device(settings, Net(NetworkSettings(), {}), show=told.append))
        discovering = LoginSettings(provider="acme", issuer=odd.url, client_id="me")
        with pytest.raises(DaedalError) as other:
            within(log_in_by_browser(discovering, Net(NetworkSettings(), {}), show=told.append))
    assert told == []
    for error in (trouble, other):
        assert SECRET not in str(error.value)
        assert "\n" not in str(error.value)


def test_the_browsers_port_turns_away_what_is_no_answer():
    async def ask(port: int, line: bytes) -> bytes:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(line + b"\r\nHost: x\r\n\r\n")
        status = await reader.readline()
        writer.close()
        return status.split(b" ")[1]

    async def scenario() -> tuple[list[bytes], dict[str, str], int]:
        strangers: list[None] = []
        async with Loopback(state="right", on_stranger=lambda: strangers.append(None)) as loopback:
            port = int(loopback.address.split(":")[2].partition("/")[0])
            lines = [
                b"GET / HTTP/1.1",
                b"POST /callback?code=c&state=right HTTP/1.1",
                b"GET /callback HTTP/1.1",
                b"GET /callback?code=c HTTP/1.1",
                b"GET /callback?code=c&state=wrong HTTP/1.1",
                b"GET /callback?error=access_denied&state=wrong HTTP/1.1",
                b"GET /callback/?code=c&state=right HTTP/1.1",
                b"nonsense",
            ]
            turned_away = [await ask(port, line) for line in lines]
            assert await ask(port, b"GET /callback?code=c&state=right HTTP/1.1") == b"200"
            assert await ask(port, b"GET /callback?code=other&state=right HTTP/1.1") == b"409"
            return turned_away, await loopback.answer(), len(strangers)

    turned_away, answer, strangers = within(scenario())
    assert turned_away == [b"404", b"404", b"404", b"400", b"400", b"400", b"404", b"404"]
    assert answer == {"code": "c", "state": "right"}
    assert strangers == 3
