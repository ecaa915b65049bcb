"""How is a Responses API request written? A list of items; the vendor stores nothing, so its reasoning comes along."""

from typing import Any

from msgspec import Raw

from daedal.protocol.content import Message, Role, Text, ToolResult, ToolUse
from daedal.protocol.model import Brief
from daedal.providers.choice import Choice
from daedal.providers.responses_stream import WIRE, ResponsesReader
from daedal.providers.wire import Reader, in_order, to_json

WITHOUT_REASONING = ("gpt-3", "gpt-4", "chatgpt")
"""Asking these for encrypted reasoning is an error."""


class ResponsesWire:
    path = "/responses"

    def __init__(self, choice: Choice) -> None:
        self.headers: dict[str, str] = {}
        self._model = choice.card.wire_model
        self._output_tokens_max = choice.model.output_tokens_max
        self._effort = choice.endpoint.reasoning_effort
        self._temperature = choice.endpoint.temperature

    def opening(self, brief: Brief) -> bytes:
        parts = [b'{"model":', to_json(self._model), b',"stream":true,"store":false']
        if not self._model.rpartition("/")[2].startswith(WITHOUT_REASONING):
            parts.append(b',"include":["reasoning.encrypted_content"]')
        if self._effort is not None:
            parts += [b',"reasoning":{"effort":', to_json(self._effort), b"}"]
        if self._temperature is not None:
            parts += [b',"temperature":', to_json(self._temperature)]
        if brief.system:
            parts += [b',"instructions":', to_json(brief.system)]
        if brief.tools:
            tools = [
                {
                    "type": "function",
                    "name": tool.name,
                    "description": tool.description,
                    "parameters": tool.input_schema,
                    "strict": False,
                }
                for tool in brief.tools
            ]
            parts += [b',"tools":', to_json(tools)]
        return b"".join([*parts, b',"input":['])

    def message(self, message: Message) -> bytes:
        items = [_item(block, message.role) for block in in_order(message, WIRE)]
        if message.images:
            pictures = [{"type": "input_image", "image_url": image.url} for image in message.images]
            items.insert(0, {"type": "message", "role": message.role, "content": pictures})
        return b",".join(to_json(item) for item in items if item is not None)

    def as_last(self, element: bytes) -> bytes:
        return element

    def closing(self, output_tokens_max: int | None) -> bytes:
        limit = output_tokens_max or self._output_tokens_max
        return b"]}" if limit is None else b'],"max_output_tokens":%d}' % limit

    def reader(self) -> Reader:
        return ResponsesReader()


def _item(block: object, role: Role) -> dict[str, Any] | Raw | None:
    match block:
        case Text(text=text) if text:
            kind = "output_text" if role is Role.ASSISTANT else "input_text"
            return {"type": "message", "role": role, "content": [{"type": kind, "text": text}]}
        case ToolUse():
            arguments = to_json(block.input).decode()
            return {"type": "function_call", "call_id": block.id, "name": block.name, "arguments": arguments}
        case ToolResult():
            output: Any = block.content
            if block.images:
                images = [{"type": "input_image", "image_url": image.url} for image in block.images]
                output = [{"type": "input_text", "text": block.content}, *images]
            return {"type": "function_call_output", "call_id": block.tool_use_id, "output": output}
        case Raw():
            return block
        case _:
            return None
