"""How does somebody else's agent work in our house? Codex and Claude behind our engine: our gate, our ledger.

A guest takes the place of the model and of the tools: it says what it wants to do, our engine commits that, judges it
and shows it, and only then the guest may go on. So a turn is the same whoever thinks in it.
"""

from typing import TYPE_CHECKING

from daedal.protocol.rooms import loaded_when_used

if TYPE_CHECKING:
    from daedal.guests.claude.host import ClaudeHost
    from daedal.guests.codex.host import CodexHost
    from daedal.guests.guest import Host
    from daedal.guests.welcome import hosting

__all__ = ["ClaudeHost", "CodexHost", "Host", "hosting"]

_FILES = {
    "ClaudeHost": "claude.host",
    "CodexHost": "codex.host",
    "Host": "guest",
    "hosting": "welcome",
}

__getattr__ = loaded_when_used(__name__, _FILES)
