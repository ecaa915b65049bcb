"""Which agents are built in? What they are told stands in Markdown files beside this one."""

import os

from daedal.config.agent_type import AgentType

SOURCE = "built-in"

_TYPES = (
    AgentType(
        name="general-purpose",
        description="Any self-contained task of several steps: searching widely, working something out, changing code.",
        source=SOURCE,
    ),
    AgentType(
        name="Explore",
        description="Read-only search of a codebase and the web: where something is, how something works. Say how"
        " thorough it should be.",
        source=SOURCE,
        tools=["Read", "Glob", "Grep", "WebFetch", "WebSearch", "ListMcpResources", "ReadMcpResource", "ToolSearch"],
    ),
)
BUILTIN = {builtin.name: builtin for builtin in _TYPES}


def builtin_prompt(name: str) -> str:
    stem = name.lower().replace("-", "_")
    with open(os.path.join(os.path.dirname(__file__), f"agent_{stem}.md"), encoding="utf-8") as file:
        return file.read().strip()
