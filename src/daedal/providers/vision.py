"""What does a model get that cannot see images? Words in their place: which file it was, and that it cannot be seen."""

from msgspec.structs import replace

from daedal.protocol.content import Block, Image, Message, Role, Text, ToolResult, ToolUse

PATH_KEYS = ("file_path", "notebook_path")


class Blindfold:
    """Takes the images out of one dialogue. Of what was said before it keeps the paths in the last calls."""

    def __init__(self) -> None:
        self._paths: dict[str, str] = {}

    def over(self, message: Message) -> Message:
        if message.role is Role.ASSISTANT:
            self._paths = {block.id: _path(block) for block in message.content if isinstance(block, ToolUse)}
            return message
        shown = [Text(_note(image, "")) for image in message.images]
        return replace(message, content=[*shown, *(self._told(block) for block in message.content)], images=[])

    def _told(self, block: Block) -> Block:
        if not isinstance(block, ToolResult) or not block.images:
            return block
        name = self._paths.get(block.tool_use_id, "")
        notes = [_note(image, name) for image in block.images]
        return ToolResult(block.tool_use_id, "\n".join(filter(None, (block.content, *notes))), block.is_error)


def _path(call: ToolUse) -> str:
    written = [call.input.get(key) for key in PATH_KEYS]
    return next((path for path in written if isinstance(path, str)), "")


def _note(image: Image, name: str) -> str:
    kibibytes = max(1, round(len(image.data) * 3 / 4 / 1024))
    whose = f" in {name}" if name else ""
    return (
        f"[An image{whose} ({image.media_type}, {kibibytes} KiB) stands here, and this model cannot see images."
        " Go by what is known of it in words, or ask the user what it shows.]"
    )
