"""How is a Chat Completions request written? One flat list: system, user, assistant with its calls, tool results."""

from typing import Any

from daedal.protocol.content import Message, Role, Text, ToolResult, ToolUse
from daedal.protocol.model import Brief
from daedal.providers.chat_stream import ChatReader
from daedal.providers.choice import Choice
from daedal.providers.wire import Reader, to_json

REASONING_MODELS = ("o1", "o3", "o4", "gpt-5")
"""These refuse `max_tokens` and want `max_completion_tokens`; other servers often know only the former."""


class ChatWire:
    path = "/chat/completions"

    def __init__(self, choice: Choice) -> None:
        self.headers: dict[str, str] = {}
        self._model = choice.card.wire_model
        self._output_tokens_max = choice.model.output_tokens_max
        self._effort = choice.endpoint.reasoning_effort
        self._temperature = choice.endpoint.temperature
        reasons = self._effort is not None or self._model.rpartition("/")[2].startswith(REASONING_MODELS)
        self._limit_name = b"max_completion_tokens" if reasons else b"max_tokens"

    def opening(self, brief: Brief) -> bytes:
        parts = [b'{"model":', to_json(self._model), b',"stream":true,"stream_options":{"include_usage":true}']
        if brief.tools:
            tools = [
                {
                    "type": "function",
                    "function": {"name": tool.name, "description": tool.description, "parameters": tool.input_schema},
                }
                for tool in brief.tools
            ]
            parts += [b',"tools":', to_json(tools)]
        if self._effort is not None:
            parts += [b',"reasoning_effort":', to_json(self._effort)]
        if self._temperature is not None:
            parts += [b',"temperature":', to_json(self._temperature)]
        parts.append(b',"messages":[')
        if brief.system:
            parts.append(to_json({"role": "system", "content": brief.system}))
        return b"".join(parts)

    def message(self, message: Message) -> bytes:
        elements = _assistant(message) if message.role is Role.ASSISTANT else _user(message)
        return b",".join(to_json(element) for element in elements)

    def as_last(self, element: bytes) -> bytes:
        return element

    def closing(self, output_tokens_max: int | None) -> bytes:
        limit = output_tokens_max or self._output_tokens_max
        return b"]}" if limit is None else b'],"%b":%d}' % (self._limit_name, limit)

    def reader(self) -> Reader:
        return ChatReader()


def _user(message: Message) -> list[dict[str, Any]]:
    """Results answer the calls right before them, so they come first, whatever else the message holds."""
    results = [
        {"role": "tool", "tool_call_id": block.tool_use_id, "content": block.content}
        for block in message.content
        if isinstance(block, ToolResult)
    ]
    # A tool's message holds only text here, so what it shows is said by the user.
    images = [
        {"type": "image_url", "image_url": {"url": image.url}}
        for block in message.content
        if isinstance(block, ToolResult)
        for image in block.images
    ]
    shown = [{"role": "user", "content": images}] if images else []
    text = _text(message)
    if message.images:
        pictures = [{"type": "image_url", "image_url": {"url": image.url}} for image in message.images]
        said = [{"type": "text", "text": text}] if text else []
        return [*results, *shown, {"role": "user", "content": [*pictures, *said]}]
    return [*results, *shown, {"role": "user", "content": text}] if text else [*results, *shown]


def _assistant(message: Message) -> list[dict[str, Any]]:
    calls = [
        {
            "id": block.id,
            "type": "function",
            "function": {"name": block.name, "arguments": to_json(block.input).decode()},
        }
        for block in message.content
        if isinstance(block, ToolUse)
    ]
    text = _text(message)
    if not text and not calls:
        return []
    element: dict[str, Any] = {"role": "assistant", "content": text or None}
    return [element | {"tool_calls": calls}] if calls else [element]


def _text(message: Message) -> str:
    return "\n\n".join(block.text for block in message.content if isinstance(block, Text) and block.text)
