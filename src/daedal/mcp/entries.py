"""Which servers do the settings describe? `[[plugins]]` and `mcpServers`, read alike; what is wrong is left out.

[[plugins]]
name = "github"                   # type is "stdio" unless it says "http" or "sse"
command = "github-mcp"            # with args and env; or url, with headers
call_timeout_seconds = 60
tool_timeout_seconds = { clone = 600 }
trusted_read_only_tools = ["search"]
"""

import os
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Any, Literal, cast

from msgspec import Struct

from daedal.mcp.expansion import Expansion, Unset
from daedal.mcp.fields import Flaw, as_table, seconds_of, table_of, text_of, texts_of, url_of
from daedal.mcp.names import slug_of
from daedal.protocol.catalogue import say

Transport = Literal["stdio", "http", "sse"]
TRANSPORTS: dict[str, Transport] = {
    "stdio": "stdio",
    "http": "http",
    "streamable-http": "http",
    "streamable_http": "http",
    "sse": "sse",
}
KEYS = (
    "name",
    "type",
    "command",
    "args",
    "env",
    "url",
    "headers",
    "call_timeout_seconds",
    "tool_timeout_seconds",
    "trusted_read_only_tools",
)
SECRET_WORDS = ("KEY", "TOKEN", "SECRET", "PASSWORD", "CREDENTIAL")
CALL_TIMEOUT_S = 120.0
SERVERS_MAX = 100


class Entry(Struct, frozen=True, kw_only=True):
    """One server as a file describes it."""

    said: Any
    origin: str
    """File and line."""
    is_project: bool = False
    """It came with the code, and not from the user's own settings."""
    is_weak: bool = False
    """Another entry of that name counts before this one, wherever it stands."""
    is_literal: bool = False
    """It names no variables: whoever wrote it has filled them in, and what it says may be a secret."""


class ServerConfig(Struct, frozen=True, kw_only=True):
    """One server, with its variables filled in."""

    slug: str
    name: str
    transport: Transport
    command: str = ""
    args: list[str] = []
    env: dict[str, str] = {}
    url: str = ""
    headers: dict[str, str] = {}
    call_timeout_s: float = CALL_TIMEOUT_S
    tool_timeouts_s: dict[str, float] = {}
    """By the tool's raw name."""
    trusted_read_only: list[str] = []
    """Raw names of tools that the user knows to change nothing."""
    origin: str = ""
    is_project: bool = False
    identity: str = ""
    """Of what is started or reached, as it is written: a server under the same name that is another has another."""
    secrets: list[tuple[str, str]] = []
    """Variables that were filled in, or are the server's own, and must not be repeated, with their values."""

    def timeout_s(self, raw: str) -> float:
        return self.tool_timeouts_s.get(raw, self.call_timeout_s)


def load_servers(
    entries: Sequence[Entry],
    *,
    user: Mapping[str, str],
    project: Mapping[str, str],
    call_timeout_s: float = CALL_TIMEOUT_S,
) -> tuple[list[ServerConfig], list[str]]:
    """The servers, the last entry of a name counting, and a warning for each entry or key that does not.

    `user` and `project` are the variables that entries of either kind may name.
    """
    found: dict[str, ServerConfig] = {}
    warnings: list[str] = []
    for entry in sorted(entries, key=lambda entry: not entry.is_weak):
        notes: list[str] = []
        try:
            server = _server(entry, project if entry.is_project else user, call_timeout_s, notes)
            known = found.get(server.slug)
            if known is not None and _file(known.origin) == _file(server.origin):
                raise Flaw(say("mcp.twice", name=server.name, slug=server.slug, other=known.origin))
            if len(found) >= SERVERS_MAX:
                raise Flaw(say("mcp.too_many", count=SERVERS_MAX))
            found.pop(server.slug, None)
            found[server.slug] = server
        except Flaw as flaw:
            warnings.append(say("mcp.left_out", where=entry.origin, name=_named(entry.said), why=flaw))
        warnings += [say("mcp.note", where=entry.origin, name=_named(entry.said), why=note) for note in notes]
    return list(found.values()), warnings


def _server(entry: Entry, variables: Mapping[str, str], call_timeout_s: float, notes: list[str]) -> ServerConfig:
    said = as_table(entry.said)
    if said is None:
        raise Flaw(say("mcp.not_a_table"))
    for key in said:
        if key not in KEYS:
            near = get_close_matches(str(key), KEYS, n=1)
            notes.append(
                say("mcp.unknown_key_near" if near else "mcp.unknown_key", key=str(key)[:100], near="".join(near))
            )
    name = text_of(said, "name")
    slug = slug_of(name)
    if not slug:
        raise Flaw(say("mcp.no_name"))
    transport = _transport(said)
    named = None if entry.is_literal else variables
    fill, fill_header = Expansion(named), Expansion(named)
    command, args, env, url, headers = "", [], {}, "", {}
    try:
        if transport == "stdio":
            command = os.path.expanduser(fill(text_of(said, "command")))
            args = [fill(word) for word in texts_of(said, "args")]
            env = {key: fill(value) for key, value in table_of(said, "env").items()}
        else:
            url = url_of(fill(text_of(said, "url")))
            headers = {key: fill_header(value) for key, value in table_of(said, "headers").items()}
    except Unset as unset:
        raise Flaw(say("mcp.unset", variable=unset)) from unset
    if transport == "stdio" and not command:
        raise Flaw(say("mcp.no_command"))
    return ServerConfig(
        slug=slug,
        name=name,
        transport=transport,
        command=command,
        args=args,
        env=env,
        url=url,
        headers=headers,
        call_timeout_s=seconds_of(said.get("call_timeout_seconds", 0), "call_timeout_seconds") or call_timeout_s,
        tool_timeouts_s=_timeouts(said),
        trusted_read_only=_trusted(said, entry, notes),
        origin=entry.origin,
        is_project=entry.is_project,
        identity=_identity(said, transport, entry),
        secrets=_secrets(env, headers) if entry.is_literal else _secrets({**fill.used, **env}, fill_header.used),
    )


def _transport(said: Mapping[str, Any]) -> Transport:
    written = said.get("type")
    if written is None:
        return "http" if "url" in said and "command" not in said else "stdio"
    transport = TRANSPORTS.get(written) if isinstance(written, str) else None
    if transport is None:
        raise Flaw(say("mcp.bad_type", type=str(written)[:100], known=", ".join(("stdio", "http", "sse"))))
    return transport


def _trusted(said: Mapping[str, Any], entry: Entry, notes: list[str]) -> list[str]:
    names = texts_of(said, "trusted_read_only_tools")
    if names and entry.is_project:
        notes.append(say("mcp.not_for_a_project"))
        return []
    return names


def _timeouts(said: Mapping[str, Any]) -> dict[str, float]:
    given = said.get("tool_timeout_seconds", {})
    if not isinstance(given, Mapping):
        raise Flaw(say("mcp.bad_key", key="tool_timeout_seconds", wanted=say("mcp.wanted.seconds_by_tool")))
    table = cast("Mapping[str, Any]", given)
    read = {str(raw): seconds_of(value, f"tool_timeout_seconds.{raw}") for raw, value in table.items()}
    return {raw: seconds for raw, seconds in read.items() if seconds}


def _identity(said: Mapping[str, Any], transport: Transport, entry: Entry) -> str:
    from hashlib import sha256

    import msgspec

    place = _file(entry.origin) if entry.is_project else ""
    what = [transport, said.get("command"), said.get("args"), said.get("url"), place]
    return sha256(msgspec.json.encode(what)).hexdigest()[:16]


def _secrets(used: Mapping[str, str], used_in_headers: Mapping[str, str]) -> list[tuple[str, str]]:
    return [*used_in_headers.items(), *((name, value) for name, value in used.items() if _is_secret(name))]


def _is_secret(name: str) -> bool:
    return any(word in name.upper() for word in SECRET_WORDS)


def _file(origin: str) -> str:
    """The file of `file:line`."""
    file, colon, line = origin.rpartition(":")
    return file if colon and line.isdigit() else origin


def _named(said: Any) -> str:
    name = (as_table(said) or {}).get("name")
    return name[:100] if isinstance(name, str) else "?"
