"""Does the way to the first request stay light? What a real run loads is compared with a list of what it may not."""

import re
import subprocess
import sys

from tests.toolbox.model_server import say
from tests.toolbox.program import Daedal

FOUNDATION = "asyncio, msgspec, msgspec.json, msgspec.structs, argparse, sqlite3"
"""What the program stands on. Whatever these load by themselves cannot be avoided."""

HEAVY_ONES = """
anthropic click ctypes difflib dspy email fastapi getpass hashlib html http http.client http.server httpx httpx2
importlib.metadata importlib.resources jinja2 json litellm logging.config logging.handlers mcp mimetypes
multiprocessing openai optparse packaging pathlib pickle pkg_resources pprint pydantic pygments random requests rich
secrets shtab shutil starlette statistics tarfile tempfile textual tomllib tree_sitter typer unittest urllib.parse
urllib.request uuid uvicorn watchfiles xml yaml zipfile
"""
HEAVY = set(HEAVY_ONES.split())
LOADED = re.compile(r"^import time:\s+\d+ \|\s+\d+ \|\s+(\S+)$", re.MULTILINE)


def loaded_by(*words: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-X", "importtime", *words], capture_output=True, text=True, check=True, timeout=60
    )
    return set(LOADED.findall(done.stderr))


def test_a_run_loads_nothing_heavy_on_its_way(daedal: Daedal, model):
    model([say("Hello.")])
    assert daedal("exec", "Settle the files.").code == 0  # Afterwards the ledger exists and the settings are stored.
    model([say("Hello.")])
    daedal.program = [sys.executable, "-X", "importtime", "-m", "daedal"]
    run = daedal("exec", "Say hello.")
    assert run.out == "Hello.\n"
    loaded = set(LOADED.findall(run.err))
    assert "daedal.engine.turn" in loaded
    assert (loaded & HEAVY) - loaded_by("-c", f"import {FOUNDATION}") == set()


def test_help_loads_neither_the_engine_nor_a_provider():
    loaded = loaded_by("-m", "daedal", "--help")
    rooms = {name.split(".")[1] for name in loaded if name.startswith("daedal.")}
    assert rooms <= {"__main__", "cli", "protocol"}
    assert (loaded & HEAVY) - loaded_by("-c", "import argparse, msgspec") == set()
