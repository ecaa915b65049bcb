"""How does an editor see a conversation of an earlier time? Its stored items, told again in order."""

from msgspec import Struct, ValidationError, convert

from daedal.editor.outbox import Outbox
from daedal.editor.showing import plan
from daedal.editor.tool_calls import whole
from daedal.protocol.items import (
    AgentMessage,
    CommandExecution,
    FileChange,
    Item,
    PlanStep,
    Reasoning,
    ToolCall,
    UserMessage,
)
from daedal.protocol.turns import Turn


class Todo(Struct, frozen=True):
    content: str
    status: str


async def replay(turns: list[Turn], outbox: Outbox, session_id: str, folder: str) -> None:
    todos: list[PlanStep] | None = None
    for item in (item for turn in turns for item in turn.items):
        _tell(item, outbox, session_id, folder)
        todos = _todos(item) or todos
        await outbox.eased()
    if todos is not None:
        outbox.put(session_id, plan(todos))
    await outbox.heard()


def _tell(item: Item, outbox: Outbox, session_id: str, folder: str) -> None:
    match item:
        case UserMessage():
            outbox.say(session_id, "user", "\n".join(part.text for part in item.content), item.id)
        case AgentMessage():
            outbox.say(session_id, "agent", item.text, item.id)
        case Reasoning():
            outbox.say(session_id, "thought", "".join(item.content or item.summary), item.id)
        case CommandExecution() | FileChange() | ToolCall():
            outbox.put(session_id, whole(item, folder))
        case _:
            pass


def _todos(item: Item) -> list[PlanStep] | None:
    """The model's list, where the item is one. It was checked when the tool ran, but it is a model's."""
    if not isinstance(item, ToolCall) or item.tool != "TodoWrite" or not item.success:
        return None
    try:
        todos = convert(item.arguments.get("todos"), list[Todo])
    except ValidationError:
        return None
    return [PlanStep(step=todo.content, status=todo.status) for todo in todos]
