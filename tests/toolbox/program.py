"""How does a test use Daedal? As a person does: the real program in a folder, with a home of its own."""

import json
import os
import sqlite3
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

CREDENTIALS = ("ANTHROPIC_", "OPENAI_", "LM_STUDIO_", "CLAUDE_", "AGENT_SDLC_", "DAEDAL_", "SDLC_")
DEADLINE_S = 120


@dataclass
class Finished:
    """What a run of the program came to."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def lines(self) -> list[Any]:
        return [json.loads(line) for line in self.out.splitlines()]


@dataclass
class Daedal:
    """The program with a home and a workspace; `env` is added to a bare environment."""

    root: Path
    env: dict[str, str] = field(default_factory=dict)
    program: list[str] = field(default_factory=lambda: [sys.executable, "-m", "daedal"])

    def __post_init__(self) -> None:
        self.home = self.root / "home"
        self.workspace = self.root / "project"
        self.home.mkdir(parents=True, exist_ok=True)
        self.workspace.mkdir(exist_ok=True)

    @property
    def database(self) -> Path:
        return self.home / ".daedal" / "daedal.db"

    def environment(self, **extra: str) -> dict[str, str]:
        bare = {name: value for name, value in os.environ.items() if not name.startswith(CREDENTIALS)}
        for name in ("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy", "ALL_PROXY", "all_proxy"):
            bare.pop(name, None)
        bare.pop("PYTHONDONTWRITEBYTECODE", None)  # Every start would compile the whole program again.
        return {**bare, "HOME": str(self.home), "NO_COLOR": "1", "DAEDAL_LANG": "en", **self.env, **extra}

    def __call__(self, *words: str, stdin: str | bytes = b"", cwd: Path | None = None, **extra: str) -> Finished:
        """Runs it to its end."""
        raw = stdin.encode() if isinstance(stdin, str) else stdin
        done = subprocess.run(
            [*self.program, *words],
            input=raw,
            capture_output=True,
            cwd=cwd or self.workspace,
            env=self.environment(**extra),
            timeout=DEADLINE_S,
        )
        return Finished(done.returncode, done.stdout.decode(), done.stderr.decode())

    def start(self, *words: str, **extra: str) -> subprocess.Popen[bytes]:
        """Starts it and comes back at once."""
        return subprocess.Popen(
            [*self.program, *words],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=self.workspace,
            env=self.environment(**extra),
        )

    def rows(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        """What stands in the ledger."""
        connection = sqlite3.connect(f"file:{self.database}?mode=ro", uri=True)
        try:
            return connection.execute(sql, values).fetchall()
        finally:
            connection.close()

    def entries(self, kind: str | None = None) -> list[dict[str, Any]]:
        """Payloads of the transcript, in order."""
        where = "WHERE entry_type = ?" if kind else "WHERE ?1 IS NULL"
        sql = f"SELECT payload_json FROM transcript_entries {where} ORDER BY id"
        return [json.loads(payload) for (payload,) in self.rows(sql, kind)]

    def results(self) -> list[dict[str, Any]]:
        return self.entries("tool_result")

    @property
    def session(self) -> str:
        """The id of the newest session."""
        return self.rows("SELECT session_id FROM sessions ORDER BY rowid DESC LIMIT 1")[0][0]
