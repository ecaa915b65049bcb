"""What would a project's files do if its folder were trusted? In words, so that a person can judge."""

from collections.abc import Sequence
from typing import Any, cast

import msgspec
from msgspec import Struct

from daedal.config.brought import Brought
from daedal.config.keys import Path, at, dotted, quoted, quoted_key
from daedal.protocol.catalogue import say

HOOKS = "hooks"


class Claim(Struct, frozen=True):
    file: str
    """By its path from the project's root."""
    text: str


def claims(brought: Brought, withheld: Sequence[Path]) -> list[Claim]:
    """One for each hook, server and setting of a file that trust would put into effect."""
    found: list[str] = []
    for path in withheld:
        value = at(brought.layer.data, path)
        found += _hooks(value) if path == (HOOKS,) else [_setting(path, value)]
    found += [
        say("config.trust.server", name=quoted(name), said=_shown(server)) for name, server in brought.servers.items()
    ]
    found += [
        say("config.trust.allowance", setting=quoted_key(key), value=_shown(value))
        for key, value in brought.allowances.items()
    ]
    return [Claim(brought.name, text) for text in found]


def _setting(path: Path, value: Any) -> str:
    return say("config.trust.setting", setting=dotted(path), value=_shown(value))


def _hooks(value: Any) -> list[str]:
    """Flat or nested, in a list or by event."""
    if isinstance(value, dict):
        grouped = cast("dict[str, Any]", value)
        return [text for event, entries in grouped.items() for text in _entries(entries, event)]
    return _entries(value, "")


def _entries(entries: Any, event: str) -> list[str]:
    if not isinstance(entries, list):
        return [say("config.trust.hook_other", said=_shown(entries))]
    return [text for entry in cast("list[Any]", entries) for text in _entry(entry, event, "")]


def _entry(entry: Any, event: str, matcher: str) -> list[str]:
    if not isinstance(entry, dict):
        return [say("config.trust.hook_other", said=_shown(entry))]
    said = cast("dict[str, Any]", entry)
    event = str(said.get("hook_event_name", event))
    matcher = str(said.get("matcher", matcher))
    inner = said.get("hooks")
    if isinstance(inner, list):
        return [text for hook in cast("list[Any]", inner) for text in _entry(hook, event, matcher)]
    command = said.get("command")
    if not isinstance(command, str):
        return [say("config.trust.hook_other", said=_shown(said))]
    return [say("config.trust.hook", event=_plain(event), matcher=_plain(matcher or "*"), command=quoted(command))]


def _plain(text: str) -> str:
    return quoted(text)[1:-1]


def _shown(value: Any) -> str:
    """As JSON in which nothing acts on a terminal or hides behind invisible characters."""
    text = msgspec.json.encode(value).decode()
    return "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in text)
