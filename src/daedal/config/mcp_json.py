"""Which MCP servers does a project's `.mcp.json` declare, and how is one added there or taken out?

The file comes with the code: what it declares counts only where the person has trusted the folder with this content.
"""

import os
from collections.abc import Mapping
from typing import Any, cast

import msgspec
from msgspec import Struct

from daedal.config.brought import SERVERS_FILE
from daedal.config.home import Files
from daedal.config.json_lines import json_lines
from daedal.config.lines import line_of
from daedal.config.reading import read_text
from daedal.config.schema import describe
from daedal.config.trust import judged
from daedal.config.writing import replace_project_file
from daedal.protocol.catalogue import say
from daedal.protocol.errors import ConfigurationError

SERVERS = "mcpServers"


class DeclaredServer(Struct, frozen=True):
    name: str
    said: Any
    origin: str
    """File and line."""


def servers_path(root: str) -> str:
    return os.path.join(root, SERVERS_FILE)


def declared_servers(schema: type[Struct], files: Files) -> list[DeclaredServer]:
    """What a trusted folder's file declares; nothing elsewhere. Whoever loads the settings has said why."""
    if files.root is None or not os.path.lexists(servers_path(files.root)):
        return []
    project = judged(describe(schema), files)
    if project.trust is None or not project.trust.is_trusted:
        return []
    return [
        DeclaredServer(name, said, f"{brought.path}:{line_of(known, (SERVERS, name)) or 1}")
        for brought, _ in project.parts
        if brought.name == SERVERS_FILE
        for known in [json_lines(brought.layer.text)]
        for name, said in brought.servers.items()
    ]


def add_server(path: str, name: str, said: Mapping[str, Any]) -> None:
    """Raises ConfigurationError where there is another of that name, or the file is none."""
    whole = _read(path)
    servers = _servers(whole, path)
    if name in servers and servers[name] != said:
        raise ConfigurationError(say("mcp.server_exists", name=name, path=path))
    _write(path, {**whole, SERVERS: {**servers, name: dict(said)}})


def remove_server(path: str, name: str) -> bool:
    """Whether there was one. Raises ConfigurationError."""
    whole = _read(path)
    servers = _servers(whole, path)
    if name not in servers:
        return False
    _write(path, {**whole, SERVERS: {key: said for key, said in servers.items() if key != name}})
    return True


def _read(path: str) -> dict[str, Any]:
    text = read_text(path)
    if text is None or not text.strip():
        return {}
    try:
        said = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError) as error:
        raise ConfigurationError(say("config.invalid_json", path=path, reason=error)) from error
    if not isinstance(said, dict):
        raise ConfigurationError(say("config.no_settings", path=path))
    return cast("dict[str, Any]", said)


def _servers(whole: dict[str, Any], path: str) -> dict[str, Any]:
    servers = whole.get(SERVERS, {})
    if not isinstance(servers, dict):
        raise ConfigurationError(say("mcp.bad_json", path=path))
    return cast("dict[str, Any]", servers)


def _write(path: str, whole: dict[str, Any]) -> None:
    replace_project_file(path, msgspec.json.format(msgspec.json.encode(whole), indent=2) + b"\n")
