"""How does somebody else's agent work in our house? Codex and Claude behind our engine: our gate, our ledger.

A guest takes the place of the model and of the tools: it says what it wants to do, our engine commits that, judges it
and shows it, and only then the guest may go on. So a turn is the same whoever thinks in it.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from daedal.guests.claude.host import ClaudeHost
    from daedal.guests.codex.host import CodexHost
    from daedal.guests.guest import Host
    from daedal.guests.welcome import hosting

__all__ = ["ClaudeHost", "CodexHost", "Host", "hosting"]

_LOADED_WHEN_USED = {
    "ClaudeHost": "claude.host",
    "CodexHost": "codex.host",
    "Host": "guest",
    "hosting": "welcome",
}


def __getattr__(name: str) -> Any:
    if name not in _LOADED_WHEN_USED:
        raise AttributeError(name)
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_LOADED_WHEN_USED[name]}"), name)
