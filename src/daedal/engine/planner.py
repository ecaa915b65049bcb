"""Who plans for a thread? Another model, in a session of its own that grows beside it and only reads.

The two never share a conversation: what one says reaches the other as text, at the end. So each one's requests begin
with the same bytes from step to step, and are cached.
"""

import os
from collections.abc import Awaitable, Callable

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from daedal.engine import recording
from daedal.engine.delegation import Delegation
from daedal.engine.greeting import Said
from daedal.engine.helping_turn import run_to_its_end
from daedal.engine.loading import Loader
from daedal.engine.recovery import recover
from daedal.engine.showing import last_words
from daedal.engine.thread import LoadedThread
from daedal.engine.turn import RunningTurn
from daedal.engine.views import loaded_view
from daedal.engine.world import World
from daedal.protocol.content import Text
from daedal.protocol.events import ThreadStarted
from daedal.protocol.ids import new_id
from daedal.protocol.items import UserInput, UserMessage
from daedal.protocol.records import Entry, EntryType, Record, StateKept, StoredEntry, TurnStatus
from daedal.protocol.threads import ThreadStatus
from daedal.protocol.turns import Turn

TYPE = "planner"
NO_PLAN = "[no plan]"
WORKFLOW = frozenset(("TodoWrite", "TaskOutput", "TaskStop", "Skill"))
"""What changes no file, and yet is no research."""
OUTCOME_MAX = 4_000
"""Characters of what the other model said last."""


class KeptPlanner(Struct, frozen=True, kw_only=True):
    """On the record of the thread that is planned for."""

    session_id: str
    model: str


def key_of(thread_id: str) -> str:
    return f"planner:{thread_id}"


def recalled_planner(world: World, thread: LoadedThread) -> KeptPlanner | None:
    text = world.transcript.kept(thread.conversation_id, key_of(thread.id))
    return msgspec.json.decode(text, type=KeptPlanner) if text is not None else None


class Planner:
    """Of one thread. Its session is opened with the first request, or found where an earlier process left it."""

    def __init__(
        self,
        world: World,
        loader: Loader,
        thread: LoadedThread,
        model: str,
        *,
        adopt: Callable[[LoadedThread], None],
        let_go: Callable[[LoadedThread], Awaitable[None]],
    ) -> None:
        self._world = world
        self._loader = loader
        self._thread = thread
        self._adopt = adopt
        self._let_go = let_go
        self._own: LoadedThread | None = None
        self.model = model
        self.outcome = ""
        """What the other model said when it was done with the last plan."""
        self._earlier: list[StoredEntry] = []

    async def plan(self, task: str, turn_id: str) -> tuple[str, Turn | None]:
        """The plan for a turn, empty where there is none, and how the planning ended."""
        own = await self._opened()
        made = await self._made_before(own, turn_id)
        if made is not None:
            return made, None
        turn = RunningTurn(own, new_id(), self._world, principal=own.terms.principal)
        said = Said(text=self._words(task), shown=task, attachments=[], notes=[])
        await self._begin(own, turn.id, said, turn_id)
        view = loaded_view(own, ThreadStatus("idle")).thread
        await self._world.faces.emit(own.id, ThreadStarted(thread=view))
        ended = await run_to_its_end(turn, UserMessage(id=new_id(), content=[UserInput(task)]))
        return _without_mark(turn.said), ended

    def _words(self, task: str) -> str:
        if not self.outcome:
            return task
        return f"<outcome-of-your-last-plan>\n{self.outcome[-OUTCOME_MAX:]}\n</outcome-of-your-last-plan>\n\n{task}"

    async def _opened(self) -> LoadedThread:
        if self._own is not None:
            return self._own
        thread = self._thread
        kept = recalled_planner(self._world, thread)
        again = kept.session_id if kept is not None and kept.model == self.model else None
        own = await self._loader.child(thread, self._delegation(), thread.workspace, again=again)
        steps = self._world.settings.planner_max_steps
        own.limits = replace(own.limits, max_turns=steps)
        self._own = own
        self._adopt(own)
        if again is not None:
            self._earlier = await self._world.transcript.entries(again)
            self.outcome = last_words(await self._world.transcript.entries(thread.id))
        else:
            keep = KeptPlanner(session_id=own.id, model=self.model)
            kept_as = StateKept(key=key_of(thread.id), value=msgspec.json.encode(keep).decode())
            own.unsaved.append(kept_as)
        return own

    def _delegation(self) -> Delegation:
        """Readers only. What a server says of its own tools is not taken for true here."""
        readers = [spec.name for spec in self._thread.toolbox.specs() if spec.read_only and spec.name not in WORKFLOW]
        return Delegation(
            type=TYPE,
            description=TYPE,
            prompt="",
            instructions=_instructions(),
            tools=[name for name in readers if not name.startswith("mcp__")],
            model=self.model,
            plans_only=True,
            place=TYPE,
        )

    async def _begin(self, own: LoadedThread, planning_id: str, said: Said, turn_id: str) -> None:
        settling = await recover(self._world, own, close=True) if not own.settled else None
        records: list[Record] = [] if settling is None else settling.records
        for record in recording.prompt(planning_id, own.terms.principal, said):
            if isinstance(record, Entry) and record.entry_type is EntryType.USER:
                record = replace(record, extra={**record.extra, "plansFor": turn_id})  # noqa: PLW2901
            records.append(record)
        unsaved = own.unsaved
        await self._world.transcript.commit(own.id, [*unsaved, *own.hooks.take_rows(), *records])
        own.unsaved = own.unsaved[len(unsaved) :]
        own.settled = True
        for message in [*(settling.messages if settling else []), said.message()]:
            own.append(message)

    async def _made_before(self, own: LoadedThread, turn_id: str) -> str | None:
        """A plan for the same turn, from before a crash."""
        earlier, self._earlier = self._earlier, []
        asked = next((entry for entry in reversed(earlier) if entry.extra.get("plansFor") == turn_id), None)
        if asked is None:
            return None
        turns = await self._world.transcript.turns(own.id)
        if not any(turn.turn_id == asked.turn_id and turn.status is TurnStatus.COMPLETED for turn in turns):
            return None
        return _without_mark(last_words([entry for entry in earlier if entry.turn_id == asked.turn_id]))

    async def close(self) -> None:
        own, self._own = self._own, None
        if own is not None:
            await self._let_go(own)


def handed_over(plan: str, model: str) -> Text:
    return Text(
        f'<plan by="{model}">\n{plan}\n</plan>\n\n'
        "Another model made this plan, with tools that only read. Carry it out. Where the code shows that the plan is "
        "wrong, do what is right, and say so."
    )


def _instructions() -> str:
    with open(os.path.join(os.path.dirname(__file__), "planner.md"), encoding="utf-8") as file:
        return file.read().strip()


def _without_mark(said: str) -> str:
    return "" if said.strip().strip("`*_").casefold() == NO_PLAN else said.strip()
