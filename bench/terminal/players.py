"""Who is measured? Daedal's chat with a model that streams, and bare programs on three toolkits, which stream alone."""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from bench.contestants import base_environment
from bench.scratch import ROOT, Scratch

OURS = "daedal"
OWN, TEXTUAL, TOOLKIT = "own floor", "Textual floor", "prompt_toolkit floor"


@dataclass(frozen=True, slots=True)
class Player:
    name: str
    argv: list[str]
    leaving: str
    """The keys that end it."""
    environment: Callable[[Path, int], dict[str, str]]
    """Given a home and the model's port."""
    cwd: Path


def players(scratch: Scratch) -> list[Player]:
    def environment(home: Path, port: int) -> dict[str, str]:
        return base_environment(home) | {
            "TERM": "xterm-256color",
            "PYTHONPATH": str(ROOT),
            "DAEDAL_HOME": str(home / ".daedal"),
            "ANTHROPIC_BASE_URL": f"http://127.0.0.1:{port}",
            "ANTHROPIC_API_KEY": "test",
        }

    def bare(name: str, module: str, leaving: str) -> Player:
        return Player(name, [sys.executable, "-m", f"bench.terminal.{module}"], leaving, environment, scratch.project)

    program = str(Path(sys.executable).with_name("daedal"))
    return [
        Player(OURS, [program, "--approval", "yolo"], "\x04", environment, scratch.project),
        bare(OWN, "floor_own", "\x04"),
        bare(TEXTUAL, "floor_textual", "\x11"),
        bare(TOOLKIT, "floor_prompt_toolkit", "\x04"),
    ]
