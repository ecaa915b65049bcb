"""How does a test fire an event? With real hooks in real processes, through the runner that the engine uses."""

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from daedal.hooks import Hook, HookRunner, load_hooks, total_order
from daedal.protocol.hooks import HookAnswer, HookEvent, HookScene
from daedal.protocol.redaction import Redactor
from daedal.sandbox import ProcessSpawner

CALL = {"tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_use_id": "toolu_1"}
HOST = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": "/nonexistent"}


def hooks_of(*entries: Mapping[str, Any]) -> list[Hook]:
    """Flat entries; those that name no event are PreToolUse."""
    hooks, warnings = load_hooks([{"hook_event_name": "PreToolUse", **entry} for entry in entries], "config.toml")
    assert warnings == []
    return total_order(hooks)


def scene(cwd: Path | str) -> HookScene:
    return HookScene(session_id="s1", conversation_id="c1", cwd=str(cwd), turn_id="t1")


def fire(
    hooks: Sequence[Hook],
    cwd: Path | str,
    event: str = "PreToolUse",
    *,
    fields: Mapping[str, Any] = CALL,
    host: Mapping[str, str] = HOST,
    secrets: Sequence[tuple[str, str]] = (),
) -> HookAnswer:
    async def scenario() -> HookAnswer:
        spawner = ProcessSpawner(())
        runner = HookRunner(
            hooks,
            spawner=spawner,
            redact=Redactor(secrets),
            db_path="ledger.db",
            project_dir=str(cwd),
            host=host,
        )
        try:
            return await runner.fire(HookEvent(event), scene(cwd), fields)
        finally:
            await spawner.close()

    return asyncio.run(scenario())


def python(source: str) -> str:
    """A hook's command that runs a line of Python."""
    return f"python3 -c {source!r}"
