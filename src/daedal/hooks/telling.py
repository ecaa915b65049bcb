"""What is written to a hook's standard input? The event's fields as one line of JSON."""

import os
from collections.abc import Mapping
from typing import Any, cast

import msgspec

from daedal.hooks.points import POINTS, Point
from daedal.protocol.hooks import HookEvent, HookScene


def tell(event: HookEvent, scene: HookScene, fields: Mapping[str, Any], db_path: str) -> dict[str, Any]:
    """The object that hooks of this event read. Raises msgspec.ValidationError where fields are missing or wrong."""
    base = {
        "hook_event_name": str(event),
        "session_id": scene.session_id,
        "conversation_id": scene.conversation_id,
        "runtime_db_path": db_path,
        "cwd": scene.cwd,
        "permission_mode": scene.permission_mode,
        "agent_id": scene.agent_id,
        "agent_type": scene.agent_type,
    }
    # Where it happens is not the event's to say; only what the scene leaves open (which sub-agent) is.
    known = {key: value for key, value in base.items() if value is not None}
    return msgspec.to_builtins(msgspec.convert({**fields, **known}, POINTS[event].stdin))


def encoded(told: Mapping[str, Any]) -> bytes:
    """One line of UTF-8. Half characters, as file names can hold them, become U+FFFD."""
    try:
        return msgspec.json.encode(told) + b"\n"
    except UnicodeEncodeError:
        return msgspec.json.encode(_whole(told)) + b"\n"


def _whole(value: Any) -> Any:
    match value:
        case str():
            return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        case list():
            return [_whole(part) for part in cast("list[Any]", value)]
        case dict():
            return {_whole(key): _whole(part) for key, part in cast("dict[Any, Any]", value).items()}
        case _:
            return value


def query_of(point: Point, told: Mapping[str, Any]) -> str | None:
    """What a matcher is compared with."""
    if not point.query:
        return point.query
    text = str(told[point.query])
    return os.path.basename(text) if point.query == "file_path" else text
