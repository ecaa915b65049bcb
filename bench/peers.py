"""Where are the real `codex` and `claude`, if anywhere? Looked for, never installed unless asked."""

import os
import shutil
import subprocess
from pathlib import Path

from bench.scratch import ROOT

PACKAGES = {"codex": "@openai/codex", "claude": "@anthropic-ai/claude-code"}
OWN_FOLDER = ROOT / ".peers"
INSTALL_S = 600


def find_peer(name: str) -> str | None:
    """DAEDAL_BENCH_PEERS, then the project's own node_modules, then what --install-peers made, then PATH."""
    named = os.environ.get("DAEDAL_BENCH_PEERS")
    folders = [Path(named), Path(named, "node_modules/.bin")] if named else []
    folders += [ROOT / "node_modules/.bin", OWN_FOLDER / "node_modules/.bin"]
    return shutil.which(name, path=os.pathsep.join(map(str, folders))) or shutil.which(name)


def install_peers() -> None:
    """Raises SystemExit with a sentence when npm is missing or fails."""
    npm = shutil.which("npm")
    if npm is None:
        raise SystemExit("error: npm was not found · install Node.js, or leave out --install-peers")
    command = [npm, "install", "--no-audit", "--no-fund", "--prefix", str(OWN_FOLDER), *PACKAGES.values()]
    try:
        subprocess.run(command, check=True, timeout=INSTALL_S)
    except subprocess.TimeoutExpired as error:
        raise SystemExit(
            f"error: npm took longer than {INSTALL_S} s · try again, or install the peers by hand"
        ) from error
    except subprocess.CalledProcessError as error:
        raise SystemExit(f"error: npm ended with {error.returncode} (see above) · install the peers by hand") from error
