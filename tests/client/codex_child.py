"""How does a test talk to the real `codex app-server`? As to ours, line by line, with a scripted model behind it."""

import os
import subprocess
from pathlib import Path

import pytest

from bench.peers import find_peer
from tests.toolbox.model_server import ModelServer
from tests.toolbox.wire_client import DEADLINE_S, WireClient

SETTINGS = """
model = "gpt-5.5"
model_provider = "scripted"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false
[analytics]
enabled = false
[feedback]
enabled = false
[tools.update_plan]
enabled = true
[model_providers.scripted]
name = "scripted"
base_url = "{address}"
wire_api = "responses"
requires_openai_auth = false
request_max_retries = 0
stream_max_retries = 0
supports_websockets = false
"""


class CodexChild(WireClient):
    def __init__(self, home: Path, workspace: Path, model: ModelServer) -> None:
        program = find_peer("codex")
        if program is None:
            pytest.skip("the real codex is not here: ./dev installs it where Node is")
        home.mkdir(exist_ok=True)
        (home / "config.toml").write_text(SETTINGS.format(address=model.env()["OPENAI_BASE_URL"]))
        self.process = subprocess.Popen(
            [program, "app-server"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=workspace,
            env={
                "PATH": f"{Path(program).parent}{os.pathsep}{os.environ['PATH']}",
                "HOME": str(home),
                "CODEX_HOME": str(home),
            },
        )
        assert self.process.stdout is not None
        super().__init__(self.process.stdout, self._put)

    def _put(self, data: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def __enter__(self) -> "CodexChild":
        return self

    def __exit__(self, *_: object) -> None:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.kill()
        self.process.stdin.close()
        self.process.wait(timeout=DEADLINE_S)
        self._reader.join(timeout=DEADLINE_S)
        self.process.stdout.close()
