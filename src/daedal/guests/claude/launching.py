"""How is Claude started? Within our walls, without settings of the user or the folder, its key in no variable."""

import os
from collections.abc import Mapping
from glob import escape, glob
from typing import Any

from msgspec.json import encode
from msgspec.structs import replace

from daedal.guests.claude.program import login, program
from daedal.guests.claude.transport import PipedTransport
from daedal.guests.guest import Stay
from daedal.guests.shared_login import share_login
from daedal.protocol.catalogue import say
from daedal.protocol.confinement import Network
from daedal.protocol.errors import ConfigurationError
from daedal.protocol.seams import Job
from daedal.sandbox import ConfinedSpawner, ProcessSpawner

TOOLS = (
    *("AskUserQuestion", "Bash", "Edit", "Glob", "Grep", "NotebookEdit", "Read"),
    *("TodoWrite", "WebFetch", "WebSearch", "Write"),
)
"""Sub-agents are not among them: they would ask while the call that started them runs. Ours are lent instead."""
LAST_WORDS_BYTES = 65_536
ADDRESS = "ANTHROPIC_BASE_URL"
BY_DESCRIPTOR = {
    "ANTHROPIC_API_KEY": "CLAUDE_CODE_API_KEY_FILE_DESCRIPTOR",
    "CLAUDE_CODE_OAUTH_TOKEN": "CLAUDE_CODE_OAUTH_TOKEN_FILE_DESCRIPTOR",
}
"""Keys that can be handed over without a variable, which every command of Claude's could read."""
QUIET = {
    "CLAUDE_CODE_DISABLE_AUTO_MEMORY": "1",
    "CLAUDE_CODE_DISABLE_BACKGROUND_TASKS": "1",
    # Instructions of the project come with ours, so that every engine reads the same.
    "CLAUDE_CODE_DISABLE_CLAUDE_MDS": "1",
    # References in prompts are resolved by us, kept to the rules.
    "CLAUDE_CODE_DISABLE_FILE_MENTIONS": "1",
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    "CLAUDE_CODE_ENABLE_TASKS": "false",
    "CLAUDE_CODE_ENTRYPOINT": "sdk-py",
    "DISABLE_AUTOUPDATER": "1",
    "ENABLE_TOOL_SEARCH": "false",
}


class Launcher:
    def __init__(
        self, spawner: ProcessSpawner, stay: Stay, home: str, environment: Mapping[str, str], *, attempts_max: int
    ) -> None:
        self._spawner = spawner
        self._stay = stay
        self.home = home
        """Claude's folder here."""
        self._environment = environment
        self._attempts_max = attempts_max
        self._walls: ConfinedSpawner | None = None

    def knows(self, session_id: str) -> bool:
        """Whether Claude has kept that conversation."""
        return bool(glob(os.path.join(escape(self.home), "projects", "*", f"{escape(session_id)}.jsonl")))

    async def launch(self, session: str, servers: dict[str, Any]) -> PipedTransport:
        """`session` is a flag that begins or resumes one; `servers` are those that it reaches through us.

        The transport starts the process when it is connected.
        """
        os.makedirs(self.home, mode=0o700, exist_ok=True)
        variables, descriptors = self._key()
        job = Job(
            argv=[*self._command(), session, f"--mcp-config={encode(servers).decode()}"],
            cwd=self._stay.workspace,
            env=self._spawner.environment({**self._variables(), **variables}),
            output_bytes_max=LAST_WORDS_BYTES,
            pass_fds=tuple(descriptors),
        )
        return PipedTransport(await self._feeder(), job, descriptors)

    async def close(self) -> None:
        if self._walls is not None:
            await self._walls.close()

    async def _feeder(self) -> ConfinedSpawner | ProcessSpawner:
        walls = self._stay.walls
        if not walls.enabled:
            return self._spawner
        if self._walls is None:
            wider = replace(walls, network=Network.ON, domains=[], writable=[*walls.writable, self.home])
            self._walls = self._spawner.within(wider)
        if self._walls.mechanism is None:
            await self._stay.warn(say("guests.claude.no_walls", why=self._walls.gaps))
            return self._spawner
        return self._walls

    def _command(self) -> list[str]:
        found = program()
        if found is None:
            raise ConfigurationError(say("guests.claude.no_program"))
        flags = ["--output-format", "stream-json", "--input-format", "stream-json", "--verbose"]
        flags += ["--include-partial-messages", "--strict-mcp-config", "--setting-sources="]
        # Claude only asks the user something where somebody is there to answer for them; our hook does, before that.
        flags += ["--permission-prompt-tool", "stdio"]
        flags += ["--tools", ",".join(TOOLS), f"--append-system-prompt={self._stay.system}"]
        if self._stay.model:
            flags.append(f"--model={self._stay.model}")
        return [found, *flags]

    def _variables(self) -> dict[str, str]:
        address = self._environment.get(ADDRESS)
        return {
            **QUIET,
            "CLAUDE_CONFIG_DIR": self.home,
            "CLAUDE_CODE_MAX_RETRIES": str(self._attempts_max - 1),
            **({ADDRESS: address} if address else {}),
        }

    def _key(self) -> tuple[dict[str, str], list[int]]:
        """Variables, and descriptors that they name: the one key that counts, or the user's own login."""
        if token := self._environment.get("ANTHROPIC_AUTH_TOKEN"):
            return {"ANTHROPIC_AUTH_TOKEN": token}, []
        for name, variable in BY_DESCRIPTOR.items():
            if key := self._environment.get(name):
                reading, writing = os.pipe()
                os.write(writing, key.encode())
                os.close(writing)
                return {variable: str(reading)}, [reading]
        share_login(login(), self.home)
        return {}, []
