"""Where is Claude's program, and where does the user's own Claude keep its login?"""

import os
from importlib.util import find_spec

from daedal.sandbox import find_program

PACKAGE = "claude_agent_sdk"


def program() -> str | None:
    """The one that came with the SDK, else the one on PATH."""
    found = find_spec(PACKAGE)
    if found is not None and found.origin is not None:
        bundled = os.path.join(os.path.dirname(found.origin), "_bundled", "claude")
        if os.access(bundled, os.X_OK):
            return bundled
    return find_program("claude")


def login() -> str | None:
    home = os.environ.get("CLAUDE_CONFIG_DIR") or os.path.expanduser("~/.claude")
    path = os.path.join(home, ".credentials.json")
    return path if os.path.isfile(path) else None
