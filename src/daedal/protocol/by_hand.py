"""What does a person do in a thread by themselves? A shell command of their own; single tool calls are in `threads`."""

from msgspec import Struct


class ShellCommandParams(Struct, rename="camel", frozen=True, kw_only=True):
    """`thread/shellCommand`: what a person types with `!`. A turn of its own that asks no model."""

    thread_id: str
    command: str
    timeout_ms: int | None = None


class ShellCommandResponse(Struct, rename="camel", frozen=True, kw_only=True):
    turn_id: str
    """Ours; the command runs on after this answer."""
