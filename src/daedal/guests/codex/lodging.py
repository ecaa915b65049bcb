"""How does a thread of Codex begin, or begin again? On our terms, with our tools, and only within our walls."""

from typing import Any

from daedal.guests.codex.borrowing import offered, unwanted
from daedal.guests.codex.server import CodexServer
from daedal.guests.codex.walls import stand, terms_of
from daedal.guests.guest import Stay
from daedal.guests.inbox import Message
from daedal.protocol.catalogue import say
from daedal.protocol.errors import ProviderError
from daedal.protocol.turns import ErrorKind


async def started(server: CodexServer, stay: Stay) -> Message:
    """Codex's answer. A tool that it does not take is left out. Raises ProviderError."""
    terms, lent = {**_terms(stay), "experimentalRawEvents": True}, dict(stay.lent)
    while True:
        try:
            told = await server.call("thread/start", {**terms, "dynamicTools": offered(lent.values())})
            return _within_walls(told, stay)
        except ProviderError as refusal:
            name = unwanted(lent, str(refusal)) if refusal.kind is ErrorKind.INTERNAL else None
            if name is None:
                raise
            del lent[name]
            await stay.warn(say("guests.unwanted_tool", engine="Codex", tool=name, why=refusal))


async def resumed(server: CodexServer, stay: Stay, thread_id: str) -> Message | None:
    """None where Codex has forgotten it. Raises ProviderError."""
    try:
        told = await server.call("thread/resume", {"threadId": thread_id, "excludeTurns": True, **_terms(stay)})
    except ProviderError as refusal:
        if refusal.kind is not ErrorKind.INTERNAL:
            raise
        await stay.warn(say("guests.forgotten", engine="Codex", why=refusal))
        return None
    return _within_walls(told, stay)


def _terms(stay: Stay) -> Message:
    model = {"model": stay.model} if stay.model else {}
    terms = terms_of(stay.walls, stay.workspace)
    return {"cwd": stay.workspace, "developerInstructions": stay.system, **model, **terms}


def _within_walls(told: Any, stay: Stay) -> Message:
    if stay.walls.enabled and not stand(told.get("sandbox")):
        raise ProviderError(say("guests.codex.no_walls"), ErrorKind.CONFIGURATION)
    return told
