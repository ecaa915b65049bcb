"""Does a login at a remote server work, last, renew itself and stay secret? Against a real authorization server."""

import asyncio
import json
import urllib.request
from pathlib import Path

import pytest

from daedal.mcp import Entry, ServerState, Tokens, Trouble, load_servers, log_in
from daedal.sandbox import ProcessSpawner
from tests.mcp.authorization_server import AuthorizationServer, guarded
from tests.mcp.sdk_server import make, served
from tests.mcp.using import odd, room, within
from tests.toolbox.requirement import requirement


def browse(address: str) -> None:
    """What the person's browser does: follows wherever it is sent."""
    asyncio.get_running_loop().run_in_executor(None, lambda: urllib.request.urlopen(address, timeout=20).read())


async def logged_in(folder: Path, entry: dict[str, object], **options: object) -> bool:
    (config,), _ = load_servers([Entry(said=entry, origin="config.toml:1")], user={}, project={})
    tokens = Tokens(str(folder / "home"), config)
    return await log_in(
        config, tokens, spawner=ProcessSpawner([]), workspace=str(folder), **{"show": browse, **options}
    )


@requirement("RX-05")
def test_a_login_is_needed_then_made_in_the_browser_and_lasts(tmp_path: Path):
    authority = AuthorizationServer()

    async def scenario():
        with served(guarded(authority)) as port:
            entry = {"name": "secret", "url": f"http://127.0.0.1:{port}/mcp"}
            async with room(tmp_path, entry) as mcp:
                before = mcp.servers.status()[0], mcp.warnings, mcp.servers.tools()
            was_asked = await logged_in(tmp_path, entry)
            async with room(tmp_path, entry) as mcp:
                return before, was_asked, await mcp.call("mcp__secret__add", a=2, b=2)

    (status, warnings, tools), was_asked, outcome = within(scenario)
    assert (status.state, tools) == (ServerState.LOGIN_NEEDED, [])
    assert "run daedal mcp login secret" in warnings[0]
    assert was_asked
    assert outcome.content == "4"
    assert authority.log == ["register", "authorize", "exchange"]
    (path,) = (tmp_path / "home" / "mcp" / "tokens").iterdir()
    assert path.stat().st_mode & 0o777 == 0o600
    assert json.loads(path.read_text())["tokens"]["access_token"].startswith("access-")


@requirement("RX-05")
def test_a_token_that_has_ended_is_renewed_without_a_person(tmp_path: Path):
    authority = AuthorizationServer()

    async def scenario():
        with served(guarded(authority)) as port:
            entry = {"name": "secret", "url": f"http://127.0.0.1:{port}/mcp"}
            await logged_in(tmp_path, entry)
            (path,) = (tmp_path / "home" / "mcp" / "tokens").iterdir()
            login = json.loads(path.read_text())
            authority.tokens.clear()  # as if an hour had passed
            path.write_text(json.dumps({**login, "expires_at": 1.0}))
            async with room(tmp_path, entry) as mcp:
                return await mcp.call("mcp__secret__add", a=2, b=2)

    assert within(scenario).content == "4"
    assert authority.log[-1] == "renew"
    assert authority.log.count("authorize") == 1


def test_a_refusal_in_the_browser_is_told(tmp_path: Path):
    async def scenario():
        with (
            served(guarded(AuthorizationServer(refuses=True))) as port,
            pytest.raises(Trouble, match="the login failed: <b>no</b>"),
        ):
            await logged_in(tmp_path, {"name": "secret", "url": f"http://127.0.0.1:{port}/mcp"})

    within(scenario)


def test_nobody_in_front_of_the_browser_ends_the_login(tmp_path: Path):
    async def scenario():
        with served(guarded(AuthorizationServer())) as port:
            entry = {"name": "secret", "url": f"http://127.0.0.1:{port}/mcp"}
            with pytest.raises(Trouble, match=r"nobody answered within 0\.5 s"):
                await logged_in(tmp_path, entry, show=lambda _: None, wait_s=0.5)

    within(scenario)


def test_where_no_login_is_wanted_none_is_made(tmp_path: Path):
    async def scenario():
        with served(make().streamable_http_app()) as port:
            url = f"http://127.0.0.1:{port}/mcp"
            assert not await logged_in(tmp_path, {"name": "open", "url": url})
            with pytest.raises(Trouble, match="Authorization header of its own"):
                await logged_in(tmp_path, {"name": "open", "url": url, "headers": {"authorization": "Bearer x"}})
        with pytest.raises(Trouble, match="knows no login"):
            await logged_in(tmp_path, odd("fine"))

    within(scenario)


def test_a_header_that_the_server_does_not_believe_is_told_as_such(tmp_path: Path):
    async def scenario():
        with served(guarded(AuthorizationServer())) as port:
            entry = {"name": "secret", "url": f"http://127.0.0.1:{port}/mcp", "headers": {"Authorization": "Bearer x"}}
            async with room(tmp_path, entry) as mcp:
                return mcp.servers.status()[0]

    status = within(scenario)
    assert status.state is ServerState.FAILED
    assert "refuses the Authorization header" in status.trouble


@requirement("RX-05")
def test_a_header_of_the_settings_goes_with_every_request(tmp_path: Path):
    seen: list[str] = []
    inner = make().streamable_http_app()

    async def app(scope, receive, send):
        if scope["type"] == "http":
            seen.append(dict(scope["headers"]).get(b"x-team", b"").decode())
        await inner(scope, receive, send)

    async def scenario():
        with served(Wrapped(app)) as port:
            entry = {"name": "open", "url": f"http://127.0.0.1:{port}/mcp", "headers": {"X-Team": "blue"}}
            async with room(tmp_path, entry) as mcp:
                return await mcp.call("mcp__open__add", a=1, b=1)

    assert within(scenario).content == "2"
    assert set(seen) == {"blue"}


class Wrapped:
    def __init__(self, app) -> None:
        self._app = app

    async def __call__(self, scope, receive, send) -> None:
        await self._app(scope, receive, send)
