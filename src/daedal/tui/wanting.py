"""Which session does a chat begin with? A fresh one, one by its id, the newest of the folder, or one that is picked."""

from msgspec import Struct

from daedal.protocol.shelving import ThreadForkParams
from daedal.tui.face import Face
from daedal.tui.talk import Talk


class Wanted(Struct, frozen=True, kw_only=True):
    thread: str = ""
    """The id of a stored one, or how it begins."""
    is_latest: bool = False
    is_picked: bool = False
    """The person chooses, from a list."""
    is_fork: bool = False
    """Go on with a copy; the session itself stays as it is."""


async def wanted_thread(talk: Talk, wanted: Wanted, face: Face | None = None) -> str | None:
    """The id to open; None for a fresh one. Raises UsageError where there is none to go on with."""
    found: str | None = wanted.thread or None
    if wanted.is_picked and face is not None:
        from daedal.tui.overlays.sessions import pick

        found = await pick(face)
    elif wanted.is_latest or wanted.is_picked:
        found = await talk.latest()
    if found is None or not wanted.is_fork:
        return found
    return (await talk.call("thread/fork", ThreadForkParams(thread_id=found, **talk.options()))).thread.id
