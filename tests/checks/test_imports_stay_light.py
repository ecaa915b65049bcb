"""Is the way to the first request light? What a run has loaded when its request arrives, beyond what it stands on."""

import re
import subprocess
import sys

from tests.toolbox.model_server import say, stall
from tests.toolbox.program import Daedal

FOUNDATION = "asyncio, msgspec, msgspec.json, msgspec.structs, sqlite3"
"""What the program stands on. Whatever these load by themselves cannot be avoided."""

BESIDES = {
    "gc": "is switched off while modules load; built into Python",
    "importlib": "finds the file of a command, and `python -m`",
    "runpy": "is `python -m`",
    "zlib": "checksums: the settings' stored copy, the byte of a lease",
}
"""What may be loaded besides, and why. Whoever adds to it measures first: `python -X importtime`."""

LOADED = re.compile(r"^import time:\s+\d+ \|\s+\d+ \|\s+(\S+)$", re.MULTILINE)


def loaded_by(*words: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-X", "importtime", *words], capture_output=True, text=True, check=True, timeout=60
    )
    return set(LOADED.findall(done.stderr))


def foreign(loaded: set[str]) -> set[str]:
    """Packages of others, by their first name."""
    first = {name.partition(".")[0] for name in loaded}
    return first - {"daedal", *BESIDES}


def test_a_run_has_loaded_nothing_heavy_when_its_first_request_arrives(daedal: Daedal, model):
    model([say("Hello.")])
    assert daedal("exec", "Let the ledger and the stored settings exist.").code == 0
    server = model([stall()])
    daedal.program = [sys.executable, "-X", "importtime", "-m", "daedal"]
    program = daedal.start("exec", "Say hello.")
    server.wait_for_requests(1)
    program.kill()
    loaded = set(LOADED.findall(program.communicate()[1].decode()))
    assert "daedal.engine.turn" in loaded
    assert foreign(loaded - loaded_by("-c", f"import {FOUNDATION}")) == set()


def test_help_loads_no_room_but_the_command_line(daedal: Daedal):
    daedal.program = [sys.executable, "-X", "importtime", "-m", "daedal"]
    loaded = set(LOADED.findall(daedal("--help").err))
    rooms = {name.split(".")[1] for name in loaded if name.startswith("daedal.")}
    assert rooms <= {"__main__", "cli", "protocol"}
    assert foreign(loaded - loaded_by("-c", "import argparse, msgspec")) == set()


def test_the_check_would_see_a_heavy_package():
    assert foreign({"daedal.cli.exec", "json.decoder", "zlib"}) == {"json"}
