"""How does the model take a stale memory out of use? With the user's leave each time, and into the archive."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct

from daedal.protocol.model import ToolSpec
from daedal.protocol.seams import Bench, Outcome
from daedal.tools.errors import Refused
from daedal.tools.memory_tool import known
from daedal.tools.recall import Memories, told
from daedal.tools.tool import BuiltinTool


class ForgetInput(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    id: str
    title: str
    """As it stands in the memory: the user is asked by what the call says, and an id says nothing."""


class Forget(BuiltinTool[ForgetInput]):
    def __init__(self, spec: ToolSpec, memories: Callable[[], Memories]) -> None:
        super().__init__(spec, ForgetInput)
        self._memories = memories

    def names(self, arguments: Mapping[str, Any]) -> list[str]:  # noqa: ARG002 - a memory is no file
        return []

    async def act(self, call: ForgetInput, bench: Bench) -> Outcome:
        with told():
            memory = known(self._memories(), call.id)
            if " ".join(call.title.split()).lower() != " ".join(memory.title.split()).lower():
                raise Refused(
                    f"{memory.id} is called {memory.title!r}, not {call.title!r}, so the user was asked about something"
                    " else. It is still there. If it is the one, call forget with its own title."
                )
            gone = await self._memories().forget(memory.id, session_id=bench.thread_id)
        return Outcome(content=f"Forgotten: {gone.id} · {gone.title}. The user still finds it in the archive.")
