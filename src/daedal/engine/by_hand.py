"""What does somebody who calls tools by hand see of them? The list of what can be called, and what a call came to."""

from binascii import b2a_base64

from daedal.protocol.content import Image
from daedal.protocol.model import ToolSpec
from daedal.protocol.seams import Outcome
from daedal.protocol.threads import ListedTool, ToolCallResponse

BUILT_IN = "built-in"


def result_of(tool_use_id: str, outcome: Outcome) -> ToolCallResponse:
    images = [Image(image.media_type, b2a_base64(image.data, newline=False).decode()) for image in outcome.images]
    return ToolCallResponse(
        tool_use_id=tool_use_id,
        content=outcome.content,
        is_error=outcome.is_error,
        images=images,
        exit_code=outcome.exit_code,
    )


def listed(spec: ToolSpec) -> ListedTool:
    return ListedTool(
        name=spec.name,
        description=spec.description,
        input_schema=spec.input_schema,
        read_only=spec.read_only,
        is_deferred=spec.is_deferred,
        source=spec.name.split("__")[1] if spec.name.startswith("mcp__") else BUILT_IN,
    )
