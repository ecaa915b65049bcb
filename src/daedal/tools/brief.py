"""How does the model tell the user something while it works?"""

import os
from collections.abc import Mapping
from typing import Annotated, Any, Literal, cast

from msgspec import Meta, Struct

from daedal.protocol.model import ToolSpec
from daedal.protocol.seams import Bench, Outcome
from daedal.sandbox import Walls
from daedal.tools.errors import Refused
from daedal.tools.file_tool import FileTool
from daedal.tools.files import open_file
from daedal.tools.sizes import amount, size
from daedal.tools.tool import encodable

ATTACHMENTS_MAX = 20


class BriefInput(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    message: Annotated[str, Meta(min_length=1)]
    attachments: list[str] = []
    status: Literal["normal", "proactive"] | None = None
    """Whether the user asked for it. It is shown all the same."""


class Brief(FileTool[BriefInput]):
    def __init__(self, spec: ToolSpec, walls: Walls) -> None:
        super().__init__(spec, BriefInput, walls)

    def names(self, arguments: Mapping[str, Any]) -> list[str]:
        given = arguments.get("attachments")
        if not isinstance(given, list):
            return []
        return [name for name in cast("list[object]", given) if isinstance(name, str)]

    async def act(self, call: BriefInput, bench: Bench) -> Outcome:
        if not call.message.strip():
            raise Refused("The message is empty. Say what the user should know.")
        if len(call.attachments) > ATTACHMENTS_MAX:
            raise Refused(f"More than {ATTACHMENTS_MAX} attachments are too many for one message.")
        # All names first: where one of them can be no path, nothing was judged, so nothing is opened.
        places = [self.place_to_read(name, bench) for name in call.attachments]
        attached = [_attached(place, bench) for place in places]
        listed = "\n\n" + "\n".join(attached) if attached else ""
        told = f" with {amount(len(attached), 'attachment')}" if attached else ""
        return Outcome(
            content=f"The message was shown to the user{told}. Go on.",
            message=encodable(f"{call.message.strip()}{listed}"),
        )


def _attached(path: str, bench: Bench) -> str:
    """A line about the file. Raises Refused where it is no ordinary file, or cannot be read."""
    descriptor, found = open_file(path, bench.cwd)
    os.close(descriptor)
    shown = os.path.relpath(path, bench.workspace) if path.startswith(f"{bench.workspace}/") else path
    # A name may hold what would end the line, or the quotes around it.
    name = " ".join(shown.split()).replace("`", "'")
    return f"- `{name}` ({size(found.st_size)})"
