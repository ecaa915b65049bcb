"""Where does a guest sit? In one thread: invited with the first turn, known in the ledger by its own name for it."""

from collections.abc import Mapping
from typing import Any

from daedal.engine import Terms, World
from daedal.guests.dialogue import GuestDialogue
from daedal.guests.guest import Guest, Host, Stay
from daedal.guests.lent import Lent, lent_by
from daedal.protocol.catalogue import say
from daedal.protocol.confinement import Confinement
from daedal.protocol.content import ToolResult
from daedal.protocol.events import Warned
from daedal.protocol.records import Entry, EntryType
from daedal.protocol.seams import Bench, Outcome, Tool, Toolbox

PERSONAL = ("Agent", "AskUserQuestion")
SUBTYPE = "guest"
"""Of the system entry that says what the guest calls the thread."""


class Seat:
    def __init__(self, host: Host, world: World, terms: Terms, walls: Confinement, tools: Toolbox) -> None:
        """`tools` are what our own engine would have in this thread; some of them are lent."""
        self.host = host
        self.tools = tools
        self.walls = walls
        self.redact = world.redact
        self.system = ""
        """Known once the dialogue is opened."""
        self.dialogue = GuestDialogue(self._invited)
        self._world = world
        self._terms = terms
        self._guest: Guest | None = None

    async def _invited(self) -> Guest:
        """The guest, ready to be told something."""
        if self._guest is None:
            self._guest = self.host.invite(
                Stay(
                    thread_id=self._terms.thread_id,
                    workspace=self._terms.workspace,
                    model=self._terms.model_id or None,
                    system=self.system,
                    walls=self.walls,
                    lent=self._lent(),
                    recall=self._recall,
                    remember=self._remember,
                    warn=self._warn,
                )
            )
        await self._guest.open()
        return self._guest

    def _lent(self) -> dict[str, Lent]:
        # Only the thread that a person talks to may ask, and give out tasks.
        barred = PERSONAL if self._terms.principal.startswith("subagent:") else ()
        return lent_by(self.tools, [name for name in self.host.borrows if name not in barred])

    def lent(self, name: str) -> Tool | None:
        """The tool of ours that is meant by that name, where it may be used."""
        return self.tools.get(name) if name in self._lent() else None

    async def run(self, arguments: Mapping[str, Any], bench: Bench) -> Outcome:
        if self._guest is None:
            return Outcome(content=f"{self.host.name} runs its own calls only.", is_error=True)
        return await self._guest.run(arguments, bench)

    async def refuse(self, call_id: str, reason: str) -> None:
        if self._guest is not None:
            await self._guest.refuse(call_id, reason)

    async def settle(self, result: ToolResult) -> None:
        if self._guest is not None:
            await self._guest.settle(result)

    async def hush(self) -> None:
        if self._guest is not None:
            await self._guest.hush()

    async def close(self) -> None:
        if self._guest is not None:
            await self._guest.close()

    async def _recall(self) -> str | None:
        # A fork has the entries of the thread it came from, but must not speak in the guest's conversation there.
        mine = {"subtype": SUBTYPE, "engine": self.host.name, "thread": self._terms.thread_id}
        entries = await self._world.transcript.entries(self._terms.thread_id)
        known = [entry.payload for entry in entries if mine.items() <= entry.payload.items()]
        if not known:
            return None
        later = [name for name in self._lent() if name not in known[-1].get("lent", [])]
        if later and self.host.keeps_tools:
            await self._warn(say("guests.later_tools", engine=self.host.name, tools=", ".join(later)))
        return known[-1]["name"]

    async def _remember(self, name: str) -> None:
        thread_id = self._terms.thread_id
        known = {"subtype": SUBTYPE, "engine": self.host.name, "thread": thread_id, "name": name}
        payload = {**known, "lent": list(self._lent())}
        entry = Entry(entry_type=EntryType.SYSTEM, payload=payload)
        await self._world.transcript.commit(thread_id, [entry])

    async def _warn(self, message: str) -> None:
        thread_id = self._terms.thread_id
        await self._world.faces.emit(thread_id, Warned(message=self._world.redact(message), thread_id=thread_id))
