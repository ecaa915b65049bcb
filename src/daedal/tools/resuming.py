"""What is a session told, as it is resumed, about commands of its own that still run?"""

from collections.abc import Callable

from daedal.config import tasks_path
from daedal.sandbox import Roll, is_running

COMMAND_SHOWN = 200
TOLD_MAX = 20


def still_running(session: str, folder: Callable[[], str] = tasks_path) -> str:
    """For the model; empty where nothing runs."""
    running = [entry for entry in Roll(folder()).entries() if entry.session == session and is_running(entry)]
    if not running:
        return ""
    lines = [f"- {entry.id}: {_line(entry.command)}" for entry in running[-TOLD_MAX:]]
    return "\n".join(
        [
            "Commands of this session still run in the background; TaskOutput hears from them, TaskStop ends them:",
            *lines,
        ]
    )


def _line(command: str) -> str:
    flat = " ".join(command.split())
    return flat if len(flat) <= COMMAND_SHOWN else f"{flat[: COMMAND_SHOWN - 1]}…"
