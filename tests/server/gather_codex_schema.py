"""Which part of the real codex's schema is our yardstick? Run by hand when codex changes, with Node at hand:

codex app-server generate-json-schema --out SCHEMA
python -m tests.server.gather_codex_schema SCHEMA VERSION

It writes the definitions that the surface needs into codex_schema.json, so that tests need neither Node nor codex.
"""

import json
import sys
from pathlib import Path
from typing import Any

from tests.server.surface import ANSWERED, ASKED, REQUESTED, TOLD

TARGET = Path(__file__).with_name("codex_schema.json")


def gathered(folder: Path, version: str) -> str:
    """The yardstick, from the folder that codex wrote its schema to."""
    whole = json.loads((folder / "codex_app_server_protocol.schemas.json").read_text())["definitions"]
    v2 = whole.pop("v2")
    known: dict[str, Any] = {**v2, **whole}
    requests = _by_method(json.loads((folder / "ClientRequest.json").read_text()))
    told = _by_method(json.loads((folder / "ServerNotification.json").read_text()))
    asked = _by_method(json.loads((folder / "ServerRequest.json").read_text()))
    chosen = {
        "requests": {method: requests[method] for method in REQUESTED},
        "answers": {method: {"$ref": f"#/definitions/{name}"} for method, name in ANSWERED.items()},
        "notifications": {method: told[method] for method in TOLD},
        "serverRequests": {method: asked[method] for method in ASKED},
        "clientAnswers": {method: {"$ref": f"#/definitions/{name}"} for method, name in ASKED.items()},
    }
    definitions: dict[str, Any] = {}
    open_names = set(_named(chosen))
    while open_names:
        name = open_names.pop()
        definitions[name] = _plain(known[name])
        open_names |= set(_named(definitions[name])) - set(definitions)
    page = {"codex": version, **chosen, "definitions": dict(sorted(definitions.items()))}
    return json.dumps(page, indent=1) + "\n"


def main() -> None:
    folder, version = sys.argv[1:]
    TARGET.write_text(gathered(Path(folder), version))


def _by_method(union: dict[str, Any]) -> dict[str, Any]:
    return {one["properties"]["method"]["enum"][0]: _plain(one["properties"]["params"]) for one in union["oneOf"]}


def _plain(schema: Any) -> Any:
    """Without prose, and with one way to point at definitions."""
    if isinstance(schema, dict):
        return {
            key: value.replace("#/definitions/v2/", "#/definitions/") if key == "$ref" else _plain(value)
            for key, value in schema.items()
            if not (key in ("description", "title", "$schema") and isinstance(value, str))
        }
    return [_plain(one) for one in schema] if isinstance(schema, list) else schema


def _named(schema: Any) -> list[str]:
    if isinstance(schema, dict):
        own = [schema["$ref"].rpartition("/")[2]] if isinstance(schema.get("$ref"), str) else []
        return own + [name for value in schema.values() for name in _named(value)]
    return [name for one in schema for name in _named(one)] if isinstance(schema, list) else []


if __name__ == "__main__":
    main()
