"""How is a tool made that touches no file? Of the thread itself, of the user, or of what the thread was given."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from daedal.protocol.model import ToolSpec
from daedal.tools.tool import BuiltinTool
from daedal.tools.worlds import Worlds

if TYPE_CHECKING:
    from daedal.tools.tasks import Tasks


def make_other(
    spec: ToolSpec, worlds: Worlds, specs: Sequence[ToolSpec], tasks: Callable[[], "Tasks"]
) -> BuiltinTool[Any]:
    """`specs` are the built-in tools of the thread, among which ToolSearch looks; `tasks` run in its background."""
    match spec.name:
        case "AskUserQuestion":
            from daedal.tools.ask_user_question import AskUserQuestion

            return AskUserQuestion(spec)
        case "TodoWrite":
            from daedal.tools.todo_write import TodoWrite

            return TodoWrite(spec)
        case "TaskOutput":
            from daedal.tools.task_output import TaskOutput

            return TaskOutput(spec, tasks())
        case "TaskStop":
            from daedal.tools.task_stop import TaskStop

            return TaskStop(spec, tasks())
        case "EnterPlanMode":
            from daedal.tools.enter_plan_mode import EnterPlanMode

            return EnterPlanMode(spec)
        case "ExitPlanMode":
            from daedal.tools.exit_plan_mode import ExitPlanMode

            return ExitPlanMode(spec)
        case "Agent":
            from daedal.tools.agent import Agent

            return Agent(spec, worlds.agents, tasks())
        case "Skill":
            from daedal.tools.skill import Skill

            return Skill(spec, worlds.skills)
        case "ListMcpResources":
            from daedal.tools.list_mcp_resources import ListMcpResources

            return ListMcpResources(spec, worlds.resources)
        case "ReadMcpResource":
            from daedal.tools.read_mcp_resource import ReadMcpResource

            return ReadMcpResource(spec, worlds.resources)
        case "ToolSearch":
            from daedal.tools.tool_search import ToolSearch

            return ToolSearch(spec, lambda: [*specs, *worlds.tools()])
        case _:
            from daedal.tools.making_recall import make_recall

            return make_recall(spec, worlds)
