"""How do we speak to an authorization server? One short request, one short answer, by the same way as to models.

Redirects are not followed: what is sent there opens an account. Everything has a deadline and a size.
"""

import asyncio
from collections.abc import Mapping
from typing import Any, cast
from urllib.parse import urlencode

import msgspec
from msgspec import Struct

from daedal.protocol.catalogue import say
from daedal.protocol.errors import ConfigurationError, ProviderError
from daedal.protocol.turns import ErrorKind
from daedal.providers import address
from daedal.providers.connection import Connection
from daedal.providers.dial import USER_AGENT, Route, Trust, dial
from daedal.providers.failures import Failure
from daedal.providers.http1 import Body, read_head
from daedal.providers.proxies import authorization, proxy_for
from daedal.providers.settings import NetworkSettings

ANSWER_BYTES_MAX = 262_144
ANSWER_S_MAX = 30.0


class Answer(Struct, frozen=True):
    status: int
    body: bytes

    def json(self) -> dict[str, Any]:
        """What it says, if it is an object; nothing else counts."""
        try:
            said = msgspec.json.decode(self.body)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return {}
        return cast("dict[str, Any]", said) if isinstance(said, dict) else {}


class Net(Struct, frozen=True):
    """The way out: as the settings and the environment say."""

    network: NetworkSettings
    env: Mapping[str, str]

    async def get(self, url: str, *, source: str) -> Answer:
        """`source` names where the URL comes from. Raises ProviderError or ConfigurationError."""
        return await self._ask("GET", url, "", source)

    async def post(self, url: str, form: Mapping[str, str], *, source: str) -> Answer:
        """Raises ProviderError or ConfigurationError."""
        return await self._ask("POST", url, urlencode(form), source)

    async def _ask(self, method: str, url: str, form: str, source: str) -> Answer:
        target = checked(url, source=source)
        route = Route(target=target, proxy=proxy_for(target, self.network.proxy, self.env))
        try:
            async with asyncio.timeout(ANSWER_S_MAX + self.network.connect_timeout_s):
                connection = await dial(route, Trust(self.network.ca_file), self.network.connect_timeout_s)
                try:
                    return await _exchange(connection, _request(method, route, url, form))
                finally:
                    connection.abort()
        except Failure as failure:
            reason = f"{failure.reason} · {failure.advice}" if failure.advice else failure.reason
            raise ProviderError(say("providers.login.unreachable", reason=reason), failure.kind) from failure
        except TimeoutError as error:
            reason = say("providers.stalled", where=target.authority, seconds=f"{ANSWER_S_MAX:g}")
            raise ProviderError(say("providers.login.unreachable", reason=reason), ErrorKind.NETWORK) from error


def checked(url: str, *, source: str) -> address.Address:
    """Only where nobody can listen: https, or this machine. Raises ConfigurationError."""
    found = address.parse(url, source=source)
    if not found.secure and not found.loopback:
        raise ConfigurationError(say("providers.login.not_secure", source=source))
    if found.userinfo:
        raise ConfigurationError(say("providers.url_malformed", source=source))
    return found


def _request(method: str, route: Route, url: str, form: str) -> bytes:
    target, proxy = route.target, route.proxy
    # A slash at the end of a path means something to some servers, so the path is sent as it is written.
    path = (target.path or "") + ("/" if url.endswith("/") else "") or "/"
    handed_over = proxy is not None and not target.secure
    lines = [
        f"{method} {f'{target.scheme}://{target.host_header}{path}' if handed_over else path} HTTP/1.1",
        f"Host: {target.host_header}",
        f"User-Agent: {USER_AGENT}",
        "Accept: application/json",
        "Accept-Encoding: identity",
        "Connection: close",
    ]
    if proxy is not None and handed_over and (login := authorization(proxy)):
        lines.append(f"Proxy-Authorization: {login}")
    if method == "POST":
        lines += ["Content-Type: application/x-www-form-urlencoded", f"Content-Length: {len(form)}"]
    return ("\r\n".join(lines) + "\r\n\r\n" + form).encode("latin-1")


async def _exchange(connection: Connection, request: bytes) -> Answer:
    connection.write(request)
    head = await read_head(connection, ANSWER_S_MAX)
    body, read = Body(connection, head), bytearray()
    while data := await body.read(ANSWER_S_MAX):
        read += data
        if len(read) > ANSWER_BYTES_MAX:
            raise Failure(say("providers.login.too_long"), ErrorKind.SERVER, retry=False)
    return Answer(head.status, bytes(read))
