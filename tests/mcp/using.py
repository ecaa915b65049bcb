"""How do tests use the room? With entries as a file would have them, a home of their own, and real processes."""

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from daedal.mcp import Entry, McpServers, load_servers
from daedal.protocol.confinement import Confinement
from daedal.sandbox import ProcessSpawner

HERE = Path(__file__).parent
DEADLINE_S = 60


@dataclass
class StandIn:
    """What a tool may use of its thread."""

    thread_id: str = "thread"
    tool_use_id: str = "call"
    workspace: str = ""
    cwd: str = ""
    phase: str = "implement"
    is_let_out: bool = False
    is_by_hand: bool = False

    def watch(self) -> None: ...

    async def keep(self, image: object) -> None: ...


@dataclass
class Room:
    """Servers, and what was said about them."""

    servers: McpServers
    warnings: list[str] = field(default_factory=list)
    messages: list[tuple[str, str, str]] = field(default_factory=list)
    progress: list[str] = field(default_factory=list)
    changes: asyncio.Queue[str] = field(default_factory=asyncio.Queue)

    async def call(self, name: str, **arguments: Any) -> Any:
        tool = self.servers.get(name)
        assert tool is not None, [tool.spec.name for tool in self.servers.tools()]
        return await tool.run(arguments, StandIn())


def odd(oddity: str, notes: Path | None = None, **entry: Any) -> dict[str, Any]:
    args = [str(HERE / "odd_server.py"), oddity, *([str(notes)] if notes else [])]
    return {"name": "odd", "command": sys.executable, "args": args, **entry}


def proper(**entry: Any) -> dict[str, Any]:
    return {"name": "proper", "command": sys.executable, "args": [str(HERE / "sdk_server.py")], **entry}


def entry(name: str, command: list[str], *, env: dict[str, str] | None = None, **more: Any) -> str:
    """A server as the user's own settings have it."""
    keys = {"name": name, "command": command[0], "args": command[1:], **more}
    variables = "".join(f"env.{key} = {json.dumps(value)}\n" for key, value in (env or {}).items())
    return "[[plugins]]\n" + "".join(f"{key} = {json.dumps(value)}\n" for key, value in keys.items()) + variables


@asynccontextmanager
async def room(
    folder: Path, *entries: dict[str, Any], wait: bool = True, walls: Confinement | None = None, **options: Any
) -> AsyncIterator[Room]:
    configs, warnings = load_servers(
        [Entry(said=said, origin="config.toml:1") for said in entries], user=os.environ, project={}
    )
    assert warnings == []
    spawner = ProcessSpawner(["ANTHROPIC_API_KEY"])
    known = Room(servers=None)  # type: ignore[arg-type]

    async def progressed(_thread: str, _call: str, text: str) -> None:
        known.progress.append(text)

    known.servers = McpServers(
        configs,
        spawner=spawner if walls is None else spawner.within(walls),
        workspace=str(folder),
        home=str(folder / "home"),
        warn=known.warnings.append,
        on_message=lambda *said: known.messages.append(said),
        on_change=known.changes.put_nowait,
        on_progress=progressed,
        **options,
    )
    known.servers.start(known_after_s=0.0 if wait else 3600.0)
    try:
        if wait:
            await known.servers.settled(DEADLINE_S)
        yield known
    finally:
        await known.servers.close()
        await spawner.close()


def within(scenario: Callable[[], Awaitable[Any]]) -> Any:
    async def bounded() -> Any:
        async with asyncio.timeout(DEADLINE_S):
            return await scenario()

    return asyncio.run(bounded())


async def until(condition: Callable[[], bool]) -> None:
    """For what another process does, which nobody tells us about."""
    while not condition():
        await asyncio.sleep(0.005)
