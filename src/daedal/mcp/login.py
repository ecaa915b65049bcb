"""How does a person log in at a remote server? In the browser, which brings the answer to a port on this machine."""

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

from daedal.config import Loopback, told_reason
from daedal.mcp.elicitation import declined
from daedal.mcp.entries import ServerConfig
from daedal.mcp.servers import Spawner
from daedal.mcp.tokens import Tokens
from daedal.mcp.trouble import Trouble, told
from daedal.protocol.catalogue import say

if TYPE_CHECKING:
    from mcp.shared.auth import AuthorizationCodeResult

WAIT_S = 300.0


async def log_in(
    config: ServerConfig,
    tokens: Tokens,
    *,
    spawner: Spawner,
    workspace: str,
    show: Callable[[str], None],
    wait_s: float = WAIT_S,
) -> bool:
    """`show` gets the address that the person has to open. Returns whether the server asked at all. Raises Trouble."""
    if config.transport == "stdio":
        raise Trouble(say("mcp.login.not_remote", name=config.name))
    from daedal.mcp.connection import Surroundings, connected
    from daedal.mcp.oauth import Session, Storage, has_own_header, provider
    from daedal.mcp.tokens import Login

    if has_own_header(config):
        raise Trouble(say("mcp.login.has_header", name=config.name))
    storage = Storage(tokens)
    async with Loopback() as listener:
        # Registered anew: what was registered earlier names another port.
        tokens.write(Login(url=config.url))

        async def send(address: str) -> None:
            show(address)

        async def answer() -> "AuthorizationCodeResult":
            return _granted(await listener.answer())

        auth = provider(config, storage, listener.address, send, answer)
        around = Surroundings(
            spawner=spawner,
            workspace=workspace,
            elicit=declined,
            on_message=lambda _level, _text: None,
            on_change=lambda: None,
            on_end=lambda: None,
            session=Session(auth),
        )
        try:
            async with asyncio.timeout(wait_s), connected(config, around) as connection:
                await connection.tools()
        except TimeoutError as error:
            raise Trouble(say("mcp.login.timed_out", seconds=f"{wait_s:g}", slug=config.slug)) from error
        except (
            Exception
        ) as error:  # whatever two servers do to each other in front of us is one sentence for the person
            raise Trouble(say("mcp.login.refused", reason=told(error))) from error
        return storage.is_new


def _granted(given: dict[str, str]) -> "AuthorizationCodeResult":
    """As the SDK wants it, which checks the state itself. Raises Trouble."""
    from mcp.shared.auth import AuthorizationCodeResult

    if "code" not in given:
        raise Trouble(told_reason(given))
    return AuthorizationCodeResult(code=given["code"], state=given.get("state"), iss=given.get("iss"))
