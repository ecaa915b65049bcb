"""What exactly can be said over the wire? A JSON Schema of every message, made from the structs that are sent."""

from typing import Any

import msgspec

from daedal.protocol.events import METHODS as EVENTS
from daedal.protocol.messages import ASKED, RESULTS
from daedal.protocol.wire import Notification, Request, Response, WireError
from daedal.server.methods import METHODS
from daedal.server.surface import FURTHER

DIALECT = "https://json-schema.org/draft/2020-12/schema"
TEMPLATE = "#/$defs/{name}"


def schemas() -> dict[str, dict[str, Any]]:
    """File name → schema."""
    params = {name: entry[0] for name, entry in {**METHODS, **FURTHER}.items()}
    return {
        "client-requests.json": _file("What a client may ask", params),
        "server-responses.json": _file("What the server answers, by the method that was asked", RESULTS),
        "server-notifications.json": _file("What the server tells", {name: kind for kind, name in EVENTS.items()}),
        "server-requests.json": _file("What the server asks", {name: pair[0] for name, pair in ASKED.items()}),
        "client-responses.json": _file("What a client answers", {name: pair[1] for name, pair in ASKED.items()}),
        "envelopes.json": _file(
            "What a line is",
            {"request": Request, "response": Response, "notification": Notification, "error": WireError},
        ),
    }


def _file(title: str, kinds: dict[str, type[Any]]) -> dict[str, Any]:
    """One schema whose properties are named after methods."""
    unique = list(dict.fromkeys(kinds.values()))
    found, parts = msgspec.json.schema_components(unique, ref_template=TEMPLATE)
    by_kind = dict(zip(unique, found, strict=True))
    return {
        "$schema": DIALECT,
        "title": title,
        "type": "object",
        "properties": {name: by_kind[kinds[name]] for name in sorted(kinds)},
        "$defs": {name: parts[name] for name in sorted(parts)},
    }
