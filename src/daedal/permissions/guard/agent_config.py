"""What does `.daedal/agent.json` add? It extends the lists; what it gets wrong is dropped with a warning."""

from typing import Any, cast

from msgspec import Struct

from daedal.permissions.guard.lists import DESTRUCTIVE, NEVER, PROFILES


class AgentConfig(Struct, frozen=True, kw_only=True):
    profiles: tuple[str, ...] = tuple(PROFILES)
    allow_base: frozenset[str] = frozenset()
    allow_run: frozenset[str] = frozenset()
    allow_sync: frozenset[str] = frozenset()
    pkill_targets: frozenset[str] = frozenset()
    permissions_allow: tuple[str, ...] = ()
    allowed_tools: tuple[str, ...] = ()
    mcp_servers: dict[str, dict[str, Any]] = {}


_KEYS = frozenset({"profile", "allowCommands", "allowPkillTargets", "permissions", "allowedTools", "mcpServers"})
_TIERS = frozenset({"base", "run", "sync"})


def agent_config(raw: object) -> tuple[AgentConfig, list[str]]:
    """The valid parts, and one warning for each part that was dropped. A profile that is not known restricts."""
    warnings: list[str] = []
    if raw is None:
        return AgentConfig(), warnings
    if not isinstance(raw, dict):
        return AgentConfig(), ["agent.json is not an object, so all of it is ignored"]
    given = cast("dict[str, Any]", raw)
    warnings += [f"agent.json: {key!r} is not a known key" for key in given if key not in _KEYS]
    tiers = _tiers(given.get("allowCommands"), warnings)
    config = AgentConfig(
        profiles=_profiles(given.get("profile"), warnings),
        allow_base=_commands(tiers.get("base"), "allowCommands.base", warnings),
        allow_run=_commands(tiers.get("run"), "allowCommands.run", warnings),
        allow_sync=_commands(tiers.get("sync"), "allowCommands.sync", warnings),
        pkill_targets=frozenset(_texts(given.get("allowPkillTargets"), "allowPkillTargets", warnings)),
        permissions_allow=_permissions(given.get("permissions"), warnings),
        allowed_tools=tuple(_texts(given.get("allowedTools"), "allowedTools", warnings)),
        mcp_servers=_servers(given.get("mcpServers"), warnings),
    )
    return config, warnings


def _profiles(raw: Any, warnings: list[str]) -> tuple[str, ...]:
    if raw is None:
        return tuple(PROFILES)
    names = _texts([raw] if isinstance(raw, str) else raw, "profile", warnings)
    warnings += [f"agent.json: there is no profile {name!r}" for name in names if name not in PROFILES]
    return tuple(name for name in PROFILES if name in names)


def _tiers(raw: Any, warnings: list[str]) -> dict[str, Any]:
    """The old form, a plain list, is meant for `run` alone."""
    if raw is None:
        return {}
    if isinstance(raw, list):
        return {"run": raw}
    if not isinstance(raw, dict):
        warnings.append("agent.json: allowCommands is neither a list nor {base, run, sync}")
        return {}
    tiers = cast("dict[str, Any]", raw)
    warnings += [f"agent.json: allowCommands has no tier {key!r}" for key in tiers if key not in _TIERS]
    return tiers


def _commands(raw: Any, where: str, warnings: list[str]) -> frozenset[str]:
    names: set[str] = set()
    for name in _texts(raw, where, warnings):
        if any(letter.isspace() for letter in name):
            warnings.append(f"agent.json: {where}: {name!r} is not the name of one command")
        elif name in NEVER:
            warnings.append(f"agent.json: {where}: {name!r} cannot be allowed, it changes what other commands mean")
        elif name in DESTRUCTIVE:
            warnings.append(f"agent.json: {where}: {name!r} is not allowed here · use --allow-destructive with run")
        else:
            names.add(name)
    return frozenset(names)


def _permissions(raw: Any, warnings: list[str]) -> tuple[str, ...]:
    if raw is None:
        return ()
    if not isinstance(raw, dict):
        warnings.append("agent.json: permissions is not an object")
        return ()
    given = cast("dict[str, Any]", raw)
    warnings += [
        f"agent.json: permissions.{key} is ignored, only allow can be added" for key in given if key != "allow"
    ]
    return tuple(_texts(given.get("allow"), "permissions.allow", warnings))


def _servers(raw: Any, warnings: list[str]) -> dict[str, dict[str, Any]]:
    if raw is None:
        return {}
    if not isinstance(raw, dict):
        warnings.append("agent.json: mcpServers is not an object")
        return {}
    servers: dict[str, dict[str, Any]] = {}
    for name, server in cast("dict[str, Any]", raw).items():
        if isinstance(server, dict):
            servers[name] = cast("dict[str, Any]", server)
        else:
            warnings.append(f"agent.json: mcpServers.{name} is not an object")
    return servers


def _texts(raw: Any, where: str, warnings: list[str]) -> list[str]:
    if raw is None:
        return []
    if not isinstance(raw, list):
        warnings.append(f"agent.json: {where} is not a list")
        return []
    found: list[str] = []
    for item in cast("list[Any]", raw):
        if isinstance(item, str) and item.strip():
            found.append(item)
        else:
            warnings.append(f"agent.json: {where}: {item!r} is not a name")
    return found
