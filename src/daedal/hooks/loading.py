"""Which hooks do settings ask for? Flat lists and the nested form of other agents; what is wrong is dropped and named.

Flat:    [{"hook_event_name": "PreToolUse", "matcher": "Bash", "command": "…"}]
Nested:  {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "…"}]}]}
Either may hold entries of the other: what has a `hooks` list is a group, anything else is a hook.
"""

import sys
from collections.abc import Callable, Mapping
from typing import Any, cast

from daedal.hooks.entries import Flaw, hook_of
from daedal.hooks.hook import Hook, is_refused_here
from daedal.hooks.matching import matcher_trouble
from daedal.protocol.catalogue import say
from daedal.protocol.errors import ConfigurationError
from daedal.protocol.hooks import HookEvent

HOOKS_MAX = 1_000
DEPTH_MAX = 8
"""Of a key: a group is in a list is under an event, and nobody means groups of groups of groups."""
Key = tuple[str | int, ...]
"""Where something stands below `hooks`: ("PreToolUse", 0, "hooks", 1)."""
EVENTS = {str(event): event for event in HookEvent}


def load_hooks(
    raw: Any, source: str | Callable[[int], str], *, platform: str = sys.platform
) -> tuple[list[Hook], list[str]]:
    """The hooks in the order they are written, and a warning for each entry that is none.

    `source` is the file, or says for each entry, by its position, which file and line it came from. Raises
    ConfigurationError for a hook that needs a shell which the platform does not have.
    """
    reader = _Reader((lambda _: source) if isinstance(source, str) else source)
    match raw:
        case None:
            pass
        case list():
            for index, entry in enumerate(cast("list[Any]", raw)):
                reader.read_top((index,), entry, None)
        case dict():
            for name, entries in cast("dict[str, Any]", raw).items():
                reader.read_event(name, entries)
        case _:
            reader.drop((), say("hooks.not_a_list"))
    for hook in reader.hooks:
        if is_refused_here(hook, platform):
            message = say("hooks.no_shell_here", shell=hook.shell, command=hook.command, file=hook.source)
            raise ConfigurationError(message)
    return reader.hooks, reader.warnings


class _Reader:
    def __init__(self, source: Callable[[int], str]) -> None:
        self._source = source
        self._position = 0
        """Of the entry that is being read, counted over all events."""
        self.hooks: list[Hook] = []
        self.warnings: list[str] = []

    def drop(self, key: Key, why: str) -> None:
        self.warnings.append(say("hooks.dropped", file=self._source(self._position), key=_spelled(key), why=why))

    def read_top(self, key: Key, entry: Any, event: HookEvent | None) -> None:
        self.read_entry(key, entry, event)
        self._position += 1

    def read_event(self, name: str, entries: Any) -> None:
        event = EVENTS.get(name)
        if event is None:
            self.drop((name,), say("hooks.unknown_event", name=name[:100]))
        elif not isinstance(entries, list):
            self.drop((name,), say("hooks.not_a_list"))
        else:
            for index, entry in enumerate(cast("list[Any]", entries)):
                self.read_top((name, index), entry, event)

    def read_entry(self, key: Key, entry: Any, event: HookEvent | None) -> None:
        if not isinstance(entry, dict) or len(key) > DEPTH_MAX:
            self.drop(key[:DEPTH_MAX], say("hooks.not_an_object"))
            return
        given = cast("dict[str, Any]", entry)
        named = given.get("hook_event_name", event)
        if event is None or named != event:
            event = EVENTS.get(named) if isinstance(named, str) else None
        if event is None:
            self.drop(key, say("hooks.unknown_event", name=str(named)[:100]) if named else say("hooks.no_event"))
        elif "hooks" in given:
            self._read_group(key, given, event)
        else:
            self._add(key, given, event)

    def _read_group(self, key: Key, group: Mapping[str, Any], event: HookEvent) -> None:
        members = group["hooks"]
        if not isinstance(members, list):
            self.drop((*key, "hooks"), say("hooks.not_a_list"))
            return
        for index, member in enumerate(cast("list[Any]", members)):
            below = (*key, "hooks", index)
            # What a member says itself counts, as it does where a person is asked to trust it.
            inherited = {"matcher": group.get("matcher", "")}
            whole = {**inherited, **cast("dict[str, Any]", member)} if isinstance(member, dict) else member
            self.read_entry(below, whole, event)

    def _add(self, key: Key, given: Mapping[str, Any], event: HookEvent) -> None:
        made = hook_of(given, event, self._source(self._position))
        if isinstance(made, Flaw):
            self.drop(key, made.why)
            return
        if len(self.hooks) >= HOOKS_MAX:
            self.drop(key, say("hooks.too_many", count=HOOKS_MAX))
            return
        for note in made.notes:
            self.drop(key, note)
        trouble = matcher_trouble(made.hook.matcher)
        if trouble:
            self.drop(key, say("hooks.bad_matcher", matcher=made.hook.matcher[:100], error=trouble))
        self.hooks.append(made.hook)


def _spelled(key: Key) -> str:
    return "hooks" + "".join(f"[{part}]" if isinstance(part, int) else f".{part[:100]}" for part in key)
