"""Who takes part, and how is each told to do the same work? One command line and one environment apiece.

All run headless, unconfined, with every call approved, and from a home of their own. Codex has no tool that reads a
file, so it is only compared where all of them run a command.
"""

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from bench.peers import find_peer
from bench.scratch import Scratch

PROMPT = "Read the notes as often as you need to, then answer."
VERSION_S = 30

Work = Literal["read", "shell"]
WORDS: dict[Work, str] = {"read": "reading a small file", "shell": "running `cat` on a small file"}


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call as the contestant's own model would make it."""

    tool: str
    input: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Contestant:
    name: str
    version: str
    argv: Callable[[int], list[str]]
    """The command line, given the port of the model."""
    environment: Callable[[int, Path], dict[str, str]]
    """What it needs beside PATH and HOME, given the port and its home."""
    calls: dict[Work, Call]

    def call_for(self, work: Work) -> Call:
        """The call for that work, or for the only work it knows."""
        return self.calls.get(work) or next(iter(self.calls.values()))


def contestants(scratch: Scratch) -> tuple[list[Contestant], list[str]]:
    """Those that are here, and the names of those that are not."""
    here = [daedal(scratch), floor(scratch)]
    missing: list[str] = []
    for name, make in (("codex", codex), ("claude", claude)):
        program = find_peer(name)
        if program is None:
            missing.append(name)
        else:
            here.append(make(program, scratch))
    return here, missing


def base_environment(home: Path) -> dict[str, str]:
    """Nothing of the caller's own but where programs are: no keys, no proxies, no configuration."""
    return {"PATH": os.environ.get("PATH", os.defpath), "HOME": str(home), "LANG": "C.UTF-8", "TERM": "dumb"}


def _anthropic(port: int) -> dict[str, str]:
    return {"ANTHROPIC_BASE_URL": f"http://127.0.0.1:{port}", "ANTHROPIC_API_KEY": "test"}


def _reading_and_running(scratch: Scratch) -> dict[Work, Call]:
    return {
        "read": Call("Read", {"file_path": str(scratch.notes)}),
        "shell": Call("Bash", {"command": f"cat {scratch.notes.name}"}),
    }


def daedal(scratch: Scratch) -> Contestant:
    program = Path(sys.executable).with_name("daedal")
    return Contestant(
        name="daedal",
        version=_version(str(program), scratch),
        argv=lambda _: [str(program), "exec", PROMPT, "--approval", "yolo", "--no-sandbox"],
        environment=lambda port, home: _anthropic(port) | {"DAEDAL_HOME": str(home / ".daedal")},
        calls=_reading_and_running(scratch),
    )


def floor(scratch: Scratch) -> Contestant:
    return Contestant(
        name="floor",
        version="bench/floor.py",
        argv=lambda _: [sys.executable, str(scratch.floor), PROMPT],
        environment=lambda port, _: _anthropic(port),
        calls=_reading_and_running(scratch),
    )


def codex(program: str, scratch: Scratch) -> Contestant:
    settings = [
        'model="gpt-5.5"',
        'model_provider="bench"',
        'approval_policy="never"',
        'sandbox_mode="danger-full-access"',
        "check_for_update_on_startup=false",
        "analytics.enabled=false",
        "feedback.enabled=false",
        'model_providers.bench.name="bench"',
        'model_providers.bench.base_url="http://127.0.0.1:{port}/v1"',
        'model_providers.bench.wire_api="responses"',
        "model_providers.bench.requires_openai_auth=false",
        "model_providers.bench.request_max_retries=0",
        "model_providers.bench.stream_max_retries=0",
        "model_providers.bench.supports_websockets=false",
    ]

    def argv(port: int) -> list[str]:
        flags = [word for line in settings for word in ("-c", line.replace("{port}", str(port)))]
        return [program, "exec", "--skip-git-repo-check", *flags, PROMPT]

    return Contestant(
        name="codex",
        version=_version(program, scratch),
        argv=argv,
        environment=lambda _, home: {"CODEX_HOME": str(home)},
        calls={"shell": Call("exec_command", {"cmd": f"cat {scratch.notes.name}", "login": False})},
    )


def claude(program: str, scratch: Scratch) -> Contestant:
    quiet = {"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "IS_SANDBOX": "1"}
    return Contestant(
        name="claude",
        version=_version(program, scratch),
        argv=lambda _: [program, "-p", PROMPT, "--allowedTools", "Read,Bash"],
        environment=lambda port, home: _anthropic(port) | quiet | {"CLAUDE_CONFIG_DIR": str(home / ".claude")},
        calls=_reading_and_running(scratch),
    )


def _version(program: str, scratch: Scratch) -> str:
    """What it says about itself; a program that cannot say it will fail audibly when it runs."""
    environment = base_environment(scratch.home("version"))
    try:
        said = subprocess.run(
            [program, "--version"], env=environment, capture_output=True, text=True, timeout=VERSION_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return "version unknown"
    numbers = [word for word in said.stdout.split() if word[:1].isdigit()]
    return numbers[0] if numbers else "version unknown"
