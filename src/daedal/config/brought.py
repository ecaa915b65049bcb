"""What does a project bring along that could take effect? Its own settings, and those it wrote for other agents.

All of it was written by somebody else. Whatever is wrong with a file (a link that leads out of the project, a FIFO, a
hundred megabytes, no text at all) is one warning, and the file counts for nothing.
"""

import os
from collections.abc import Mapping
from typing import Any, cast

import msgspec
from msgspec import Struct

from daedal.config.claude_settings import claude_settings
from daedal.config.home import BROUGHT_FILES, Files
from daedal.config.layers import Layer, OriginKind
from daedal.config.reading import TEXT_BYTES_MAX, decoded, read_ordinary
from daedal.config.toml_file import is_deep, parse_toml
from daedal.protocol.catalogue import say
from daedal.protocol.errors import ConfigurationError

SERVERS_FILE = BROUGHT_FILES[2]


class Brought(Struct, frozen=True, kw_only=True):
    """One file of the project's, read once: what is judged is what counts."""

    path: str
    name: str
    """From the project's root."""
    data: bytes
    layer: Layer
    """Its settings; empty for a file that has none."""
    servers: dict[str, Any] = {}
    """The MCP servers that it declares."""
    allowances: dict[str, Any] = {}
    """What it lets unattended work do."""

    @property
    def is_inert(self) -> bool:
        """Whether it has nothing beside its settings that would need trust."""
        return not self.servers and not self.allowances


def brought_files(files: Files) -> tuple[list[Brought], list[str]]:
    """What is there and can be read, strongest last, and a warning for each file that cannot."""
    found: list[Brought] = []
    warnings: list[str] = []
    for path in files.brought():
        if path is not None and os.path.lexists(path):
            try:
                found.append(_brought(path, files))
            except ConfigurationError as error:
                warnings.append(say("config.project_ignored", reason=error))
    return found, warnings


def _brought(path: str, files: Files) -> Brought:
    folder = files.root or os.path.dirname(path)
    data = _read(path, folder)
    text = decoded(data, path)
    name = os.path.relpath(path, folder)
    if not path.endswith(".json"):
        layer = Layer(OriginKind.PROJECT, parse_toml(text, path), path, text)
        return Brought(path=path, name=name, data=data, layer=layer)
    said = _parse_json(text, path)
    empty = Layer(OriginKind.PROJECT, {}, path, text)
    servers = _table(said.get("mcpServers"))
    if path == files.agent:
        others = {key: value for key, value in said.items() if key not in (*narrowing(said), "mcpServers")}
        return Brought(path=path, name=name, data=data, layer=empty, servers=servers, allowances=others)
    if name == SERVERS_FILE:
        return Brought(path=path, name=name, data=data, layer=empty, servers=servers)
    layer = Layer(OriginKind.PROJECT, claude_settings(said), path, text)
    return Brought(path=path, name=name, data=data, layer=layer)


def narrowing(said: Mapping[str, Any]) -> dict[str, Any]:
    """What an agent file may say without trust: a profile only takes commands away."""
    return {key: said[key] for key in ("profile",) if key in said}


def _read(path: str, folder: str) -> bytes:
    """Through links only as far as the project goes. Raises ConfigurationError."""
    target = os.path.realpath(path)
    if not target.startswith(os.path.realpath(folder).rstrip(os.sep) + os.sep):
        raise ConfigurationError(say("config.leads_out", path=path))
    try:
        contents = read_ordinary(target, bytes_max=TEXT_BYTES_MAX)
    except OSError as error:
        raise ConfigurationError(say("config.unreadable", path=path, reason=error.strerror)) from error
    if contents.size > TEXT_BYTES_MAX:
        raise ConfigurationError(say("config.too_large", path=path, limit=TEXT_BYTES_MAX))
    return contents.data


def _parse_json(text: str, path: str) -> dict[str, Any]:
    try:
        said = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError) as error:
        raise ConfigurationError(say("config.invalid_json", path=path, reason=error)) from error
    if not isinstance(said, dict) or is_deep(cast("dict[str, Any]", said)):
        raise ConfigurationError(say("config.no_settings", path=path))
    return cast("dict[str, Any]", said)


def _table(value: Any) -> dict[str, Any]:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}
