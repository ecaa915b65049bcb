"""How is a request to the Anthropic Messages API written? Typed blocks, and two marks for what it may cache."""

from typing import Any

from daedal.protocol.content import Image, Message, Text, ToolResult
from daedal.protocol.model import Brief
from daedal.providers.choice import Choice
from daedal.providers.wire import ANTHROPIC, Reader, in_order, to_json

VERSION = "2023-06-01"
MARK = b',"cache_control":{"type":"ephemeral"}'
ANSWER_TOKENS = 8_192
"""Room for the answer itself, where thinking would use up all that is allowed."""


class AnthropicWire:
    """The system prompt and the last message carry a cache mark; what lies between is found by its prefix."""

    path = "/v1/messages"

    def __init__(self, choice: Choice) -> None:
        self.headers = {"anthropic-version": VERSION}
        self._model = choice.card.wire_model
        self._thinking = choice.endpoint.thinking_tokens
        self._effort = choice.endpoint.thinking_effort
        self._temperature = choice.endpoint.temperature
        self._output_tokens_max = choice.card.output_tokens_max

    def opening(self, brief: Brief) -> bytes:
        parts = [b'{"model":', to_json(self._model), b',"stream":true']
        if brief.system.strip():
            parts += [b',"system":[{"type":"text","text":', to_json(brief.system), MARK, b"}]"]
        if brief.tools:
            tools = [
                {"name": tool.name, "description": tool.description, "input_schema": tool.input_schema}
                for tool in brief.tools
            ]
            parts += [b',"tools":', to_json(tools)]
        if self._thinking is not None:
            parts.append(b',"thinking":{"type":"enabled","budget_tokens":%d}' % self._thinking)
        elif self._effort is not None:
            parts += [b',"thinking":{"type":"adaptive"},"output_config":{"effort":', to_json(self._effort), b"}"]
        if self._temperature is not None:
            parts += [b',"temperature":', to_json(self._temperature)]
        return b"".join([*parts, b',"messages":['])

    def message(self, message: Message) -> bytes:
        blocks = [to_json(block) for block in _images(message.images)]
        blocks += [to_json(_shown(block)) for block in in_order(message, ANTHROPIC) if not _blank(block)]
        if not blocks:
            return b""
        return b'{"role":"%b","content":[%b]}' % (message.role.encode(), b",".join(blocks))

    def as_last(self, element: bytes) -> bytes:
        """With the cache mark in its last block. A vendor's block may not carry it, so only a user's message does."""
        return element[:-3] + MARK + b"}]}" if element.startswith(b'{"role":"user"') else element

    def closing(self, output_tokens_max: int | None) -> bytes:
        limit = output_tokens_max or self._output_tokens_max
        if self._thinking is not None and limit <= self._thinking:
            limit = self._thinking + ANSWER_TOKENS
        return b'],"max_tokens":%d}' % limit

    def reader(self) -> Reader:
        from daedal.providers.anthropic_stream import AnthropicReader

        return AnthropicReader()


def _shown(block: object) -> object:
    """With its images, where a result has some."""
    if not isinstance(block, ToolResult) or not block.images:
        return block
    return {
        "type": "tool_result",
        "tool_use_id": block.tool_use_id,
        "content": [{"type": "text", "text": block.content}, *_images(block.images)],
        "is_error": block.is_error,
    }


def _images(images: list[Image]) -> list[dict[str, Any]]:
    return [
        {"type": "image", "source": {"type": "base64", "media_type": image.media_type, "data": image.data}}
        for image in images
    ]


def _blank(block: object) -> bool:
    """The API refuses text blocks without text."""
    return isinstance(block, Text) and not block.text.strip()
