"""How does the model give a task to a sub-agent?"""

from collections.abc import Mapping
from typing import Any, Literal

from msgspec import Struct

from daedal.protocol.model import ToolSpec
from daedal.protocol.seams import Bench, Outcome
from daedal.tools.errors import Refused
from daedal.tools.tasks import Tasks
from daedal.tools.tool import BuiltinTool
from daedal.tools.worlds import AgentOrder, Agents

USUAL_TYPE = "general-purpose"
"""Meant where the call names none."""


class AgentInput(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    description: str
    prompt: str
    subagent_type: str | None = None
    model: str | None = None
    run_in_background: bool | None = None
    isolation: Literal["worktree", "remote"] | None = None
    effort: Literal["low", "medium", "high", "xhigh", "max"] | None = None


class Agent(BuiltinTool[AgentInput]):
    def __init__(self, spec: ToolSpec, agents: Agents, tasks: Tasks) -> None:
        super().__init__(spec, AgentInput)
        self._agents = agents
        self._tasks = tasks

    def names(self, arguments: Mapping[str, Any]) -> list[str]:  # noqa: ARG002 - what the agent touches is judged there
        return []

    async def act(self, call: AgentInput, bench: Bench) -> Outcome:
        if not call.prompt.strip():
            raise Refused("The prompt is empty. Say what the agent is to do, and all that it needs to know for it.")
        order = AgentOrder(
            type=self._type(call.subagent_type or USUAL_TYPE),
            description=call.description,
            prompt=call.prompt,
            model=call.model,
            isolation=call.isolation,
            effort=call.effort,
        )
        if self._agents.is_background(order) if call.run_in_background is None else call.run_in_background:
            return await self._start(order, bench)
        return await self._agents.run(order, bench)

    async def _start(self, order: AgentOrder, bench: Bench) -> Outcome:
        from daedal.tools.agent_task import AgentTask

        self._tasks.make_room()
        task = AgentTask(order.description or order.type, self._agents.run(order, bench))
        await self._tasks.add(task)
        return Outcome(
            content=f"The agent works in the background with ID: {task.id}. Fetch its report with TaskOutput; it ends"
            " with the session.",
            loaded=["TaskOutput", "TaskStop"],
        )

    def _type(self, wanted: str) -> str:
        known = [listing.name for listing in self._agents.types()]
        if wanted in known:
            return wanted
        if not known:
            raise Refused(
                "No agent types are configured here (available: none), so nobody can be given a task. Do the work"
                " yourself with the other tools."
            )
        raise Refused(f"There is no agent type {wanted!r}. Available: {', '.join(known)}. Name one in subagent_type.")
