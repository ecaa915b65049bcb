"""Who works for a thread? Sub-agents by their type, and skills that bring an agent of their own."""

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from daedal.app.startup import Startup
from daedal.config import AgentTypes, SkillShelf
from daedal.engine import Delegation
from daedal.protocol.errors import DaedalError
from daedal.protocol.seams import Bench, Outcome
from daedal.tools import AgentOrder, Listing

if TYPE_CHECKING:
    from daedal.engine import Report

Delegate = Callable[[str, Delegation], Awaitable["Report"]]
"""Of the engine: for which thread, and what."""
USUAL_TYPE = "general-purpose"
REPORT_CHARACTERS_MAX = 100_000
TRUNCATED = "[SDLC_TRUNCATED]"
NO_MODEL = (
    "A call by hand has no model that an agent could work with. Give the task to a model (daedal exec; daedal setup"
    " chooses one), or name a model here with `model`."
)


class HouseAgents:
    """The `Agents` of one workspace."""

    def __init__(self, startup: Startup, workspace: str, delegate: Delegate) -> None:
        self._settings = startup.settings.agent
        self._types = AgentTypes(workspace)
        self._delegate = delegate

    def types(self) -> list[Listing]:
        return [Listing(one.name, one.description) for one in self._types.listed()]

    def is_background(self, order: AgentOrder) -> bool:
        return any(one.in_background for one in self._types.listed() if one.name == order.type)

    async def run(self, order: AgentOrder, bench: Bench) -> Outcome:
        from daedal.tools import Refused

        if order.isolation == "remote":
            raise Refused("There is no remote place for agents here. Leave isolation out, or say worktree.")
        return await self.set_to_work(order, bench, name=order.type)

    async def set_to_work(self, order: AgentOrder, bench: Bench, *, name: str, said_model: str = "") -> Outcome:
        """`name` and `said_model` are those of a skill where it is one that brings its agent. Raises Refused."""
        from daedal.config import subagent_model_for
        from daedal.tools import Refused

        settings = self._settings
        try:
            agent = self._types.load(order.type)
            model = order.model or subagent_model_for(
                name, said_model or agent.type.model, default=settings.subagent_model, by_name=settings.subagent_models
            )
            if model is None and bench.is_by_hand:
                raise Refused(NO_MODEL)
            delegation = Delegation(
                type=agent.type.name,
                description=order.description,
                prompt=order.prompt,
                instructions=agent.prompt,
                tools=agent.type.tools,
                disallowed=agent.type.disallowed,
                model=model,
                effort=order.effort or agent.type.effort,
                max_turns=agent.type.max_turns,
                place=bench.tool_use_id,
                is_within_provider=order.model is not None and not bench.is_by_hand,
                plans_only=agent.type.plans_only,
                is_isolated=(order.isolation or agent.type.isolation) == "worktree",
            )
            return told(await self._delegate(bench.thread_id, delegation))
        except DaedalError as error:
            raise Refused(f"The agent could not begin: {error}") from error


class HouseSkills:
    """The `Skills` of one workspace."""

    def __init__(self, startup: Startup, workspace: str, agents: HouseAgents) -> None:
        self._shelf = SkillShelf(workspace, startup.settings.skills)
        self._agents = agents

    def listed(self) -> list[Listing]:
        return [Listing(one.name, one.description) for one in self._shelf.listed() if not one.only_for_people]

    async def load(self, name: str, arguments: str, bench: Bench) -> Outcome:
        from daedal.tools import Refused

        try:
            skill = self._shelf.load(name, arguments)
        except DaedalError as error:
            raise Refused(str(error)) from error
        if not skill.info.runs_as_subagent:
            return Outcome(content=f"Launching skill: {name}\n\n{skill.text}")
        order = AgentOrder(type=skill.info.agent or USUAL_TYPE, description=f"skill {name}", prompt=skill.text)
        return await self._agents.set_to_work(order, bench, name=name, said_model=skill.info.model)


def told(report: "Report") -> Outcome:
    """The report as the model reads it: what the agent found is its word, not the user's."""
    text = report.text.strip()
    if len(text) > REPORT_CHARACTERS_MAX:
        text = f"{text[:REPORT_CHARACTERS_MAX]} {TRUNCATED}"
    lines = [text or "(The agent said nothing.)"]
    if report.error is not None:
        lines.insert(0, f"The agent did not finish: {report.error}")
    if report.kept is not None:
        lines.append(f"Its changes are in the worktree {report.kept}; nothing of them is in this one yet.")
    lines.append(
        f"agentId: {report.agent_id}\n<usage>total_tokens: {report.usage.total_tokens}, steps: {report.steps}</usage>"
    )
    return Outcome(content="\n\n".join(lines), is_error=report.error is not None)
