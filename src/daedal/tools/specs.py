"""What is the model told about each tool? What stands beside its code: a description in Markdown, a JSON Schema.

Read without loading the tools themselves, because the first request needs only this.
"""

import os
from functools import cache

import msgspec
from msgspec import Raw
from msgspec.structs import replace

from daedal.protocol.model import ToolSpec
from daedal.tools.settings import ToolSettings
from daedal.tools.shell import choose, timeout_ms_max

NAMES = (
    "Read",
    "Write",
    "Edit",
    "NotebookEdit",
    "Move",
    "Bash",
    "Glob",
    "Grep",
    "WebFetch",
    "WebSearch",
    "AskUserQuestion",
    "TodoWrite",
    "TaskOutput",
    "TaskStop",
    "Agent",
    "Skill",
    "EnterPlanMode",
    "ExitPlanMode",
    "ListMcpResources",
    "ReadMcpResource",
    "ToolSearch",
    "Brief",
    "memory",
    "remember",
    "forget",
    "history",
)
READ_ONLY = frozenset(
    (
        "Read",
        "Glob",
        "Grep",
        "WebFetch",
        "WebSearch",
        "TodoWrite",
        "TaskOutput",
        "ListMcpResources",
        "ReadMcpResource",
        "ToolSearch",
        "Brief",
        "memory",
        "history",
    )
)
FOLDER = os.path.dirname(__file__)
BYTES_MAX = 65_536


@cache
def spec_of(name: str) -> ToolSpec:
    """As it is written; what stands in braces in a description is still to be filled in."""
    return ToolSpec(
        name=name,
        description=_beside(f"{_stem(name)}.md").decode().strip(),
        input_schema=Raw(msgspec.json.format(_beside(f"{_stem(name)}.json"), indent=-1)),
        read_only=name in READ_ONLY,
        is_concurrent=name == "Agent",
    )


def _stem(name: str) -> str:
    """`WebFetch` is told in `web_fetch.md`."""
    return "".join(f"_{letter}" if letter.isupper() else letter for letter in name).lstrip("_").lower()


def bash_spec(settings: ToolSettings) -> ToolSpec:
    """With the shell and the timeout that are set. Raises ConfigurationError where there is no such shell."""
    spec = spec_of("Bash")
    default_ms = settings.bash_timeout_seconds * 1000
    timeout = f"default {default_ms}, max {timeout_ms_max(default_ms)}" if default_ms else "default none"
    filled = spec.description.replace("{shell}", choose(settings.shell).name).replace("{timeout}", timeout)
    return replace(spec, description=filled)


def _beside(name: str) -> bytes:
    # Without a file object: there are many small files, and the first request waits for them.
    descriptor = os.open(f"{FOLDER}/{name}", os.O_RDONLY)
    try:
        return os.read(descriptor, BYTES_MAX)
    finally:
        os.close(descriptor)
