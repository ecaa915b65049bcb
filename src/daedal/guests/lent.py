"""Which of our tools may a guest use? Those of MCP servers, and the few that it has nothing of its own for.

A guest asks for such a call as for one of its own. Our engine runs it as it would run it for any model, and the guest
is told what came of it: no server, address or token of the user's is ever given away.
"""

from collections.abc import Collection

from msgspec import Raw, Struct

from daedal.protocol.seams import Toolbox

PREFIX = "mcp__"
OURS = "daedal"
"""The server that our own tools seem to belong to, where a guest knows tools of servers only."""


class Lent(Struct, frozen=True, kw_only=True):
    name: str
    """What our rules call it."""
    server: str
    """The server that it is from; empty where it is ours."""
    tool: str
    """Its name there."""
    description: str
    schema: Raw
    """Of its input, serialised."""


def lent_by(toolbox: Toolbox, borrowed: Collection[str]) -> dict[str, Lent]:
    """By our names; `borrowed` are those of our own tools."""
    found: dict[str, Lent] = {}
    for spec in toolbox.specs():
        if spec.name.startswith(PREFIX):
            _, server, tool = spec.name.split("__", 2)
        elif spec.name in borrowed:
            server, tool = "", spec.name
        else:
            continue
        found[spec.name] = Lent(
            name=spec.name, server=server, tool=tool, description=spec.description, schema=spec.input_schema
        )
    return found
