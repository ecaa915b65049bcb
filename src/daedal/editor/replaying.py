"""How does an editor see a conversation of an earlier time? Its stored items, told again in order."""

from acp.helpers import image_block, update_user_message
from acp.schema import ImageContentBlock
from msgspec import Struct, ValidationError, convert

from daedal.editor.outbox import Outbox
from daedal.editor.showing import plan
from daedal.editor.tool_calls import whole
from daedal.protocol.items import (
    AgentMessage,
    CommandExecution,
    FileChange,
    Given,
    ImageInput,
    Item,
    PlanStep,
    Reasoning,
    ToolCall,
    UserInput,
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
            _tell_given(item, outbox, session_id)
        case AgentMessage():
            outbox.say(session_id, "agent", item.text, item.id)
        case Reasoning():
            outbox.say(session_id, "thought", "".join(item.content or item.summary), item.id)
        case CommandExecution() | FileChange() | ToolCall():
            outbox.put(session_id, whole(item, folder))
        case _:
            pass


def _tell_given(item: UserMessage, outbox: Outbox, session_id: str) -> None:
    words: list[str] = []
    for part in item.content:
        if isinstance(part, ImageInput) and (picture := _picture(part)) is not None:
            outbox.say(session_id, "user", "\n".join(words), item.id)
            words.clear()
            outbox.put(session_id, update_user_message(picture))
        else:
            words.append(_words(part))
    outbox.say(session_id, "user", "\n".join(words), item.id)


def _picture(part: ImageInput) -> ImageContentBlock | None:
    head, comma, data = part.url.partition(";base64,")
    return image_block(data, head.removeprefix("data:")) if comma and head.startswith("data:image/") else None


def _words(part: Given) -> str:
    match part:
        case UserInput(text=text):
            return text
        case ImageInput(name=name):
            return f"[{name or 'image'}]"
        case _:
            return part.path


def _todos(item: Item) -> list[PlanStep] | None:
    """The model's list, where the item is one. It was checked when the tool ran, but it is a model's."""
    if not isinstance(item, ToolCall) or item.tool != "TodoWrite" or not item.success:
        return None
    try:
        todos = convert(item.arguments.get("todos"), list[Todo])
    except ValidationError:
        return None
    return [PlanStep(step=todo.content, status=todo.status) for todo in todos]
