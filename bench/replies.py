"""What does the model of a benchmark say? The bytes of each reply, made before anybody is waiting for them.

Every step asks for the same tool with the same input, so each contestant does the same work; only the id of the call
differs. The figures of usage stay small and equal, so that nobody has a reason to condense its history.
"""

import json
from typing import Any

ID = b"@call@"
"""Stands for the number of a request, six digits wide so that lengths hold; call ids must be unique."""

Event = dict[str, Any]


def _sse(event: Event) -> bytes:
    return f"event: {event['type']}\ndata: {json.dumps(event, separators=(',', ':'))}\n\n".encode()


def _chunk(data: bytes) -> bytes:
    return b"%x\r\n%b\r\n" % (len(data), data)


LAST_CHUNK = b"0\r\n\r\n"


class AnthropicWire:
    """Messages: blocks that are opened, filled and closed."""

    def _around(self, stop_reason: str) -> tuple[Event, list[Event]]:
        usage = {"input_tokens": 10, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0, "output_tokens": 1}
        message = {"id": f"msg_{ID.decode()}", "type": "message", "role": "assistant", "model": "claude-opus-4-6"}
        rest = {"content": [], "stop_reason": None, "stop_sequence": None, "usage": usage}
        ending = {"type": "message_delta", "delta": {"stop_reason": stop_reason, "stop_sequence": None}}
        usage_end = {"usage": {"output_tokens": 10}}
        return {"type": "message_start", "message": message | rest}, [ending | usage_end, {"type": "message_stop"}]

    def call(self, tool: str, tool_input: Event) -> list[bytes]:
        opening, ending = self._around("tool_use")
        block = {"type": "tool_use", "id": f"toolu_{ID.decode()}", "name": tool, "input": {}}
        delta = {"type": "input_json_delta", "partial_json": json.dumps(tool_input)}
        events: list[Event] = [
            opening,
            {"type": "content_block_start", "index": 0, "content_block": block},
            {"type": "content_block_delta", "index": 0, "delta": delta},
            {"type": "content_block_stop", "index": 0},
            *ending,
        ]
        return [_sse(event) for event in events]

    def text(self, deltas: int) -> list[bytes]:
        opening, ending = self._around("end_turn")
        filled = {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "word "}}
        events: list[Event] = [
            opening,
            {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
            *[filled] * deltas,
            {"type": "content_block_stop", "index": 0},
            *ending,
        ]
        return [_sse(event) for event in events]


class ResponsesWire:
    """Responses: items that are added, filled and done."""

    def _around(self) -> tuple[Event, Event]:
        response = {"id": f"resp_{ID.decode()}", "object": "response", "status": "in_progress", "output": []}
        usage = {
            "input_tokens": 10,
            "input_tokens_details": {"cached_tokens": 0},
            "output_tokens": 10,
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": 20,
        }
        ending = response | {"status": "completed", "usage": usage}
        return {"type": "response.created", "response": response}, {"type": "response.completed", "response": ending}

    def call(self, tool: str, tool_input: Event) -> list[bytes]:
        opening, ending = self._around()
        item = {
            "type": "function_call",
            "id": f"fc_{ID.decode()}",
            "call_id": f"call_{ID.decode()}",
            "name": tool,
            "arguments": json.dumps(tool_input),
        }
        events: list[Event] = [
            opening,
            {"type": "response.output_item.added", "output_index": 0, "item": item | {"arguments": ""}},
            {"type": "response.output_item.done", "output_index": 0, "item": item},
            ending,
        ]
        return [_sse(event) for event in events]

    def text(self, deltas: int) -> list[bytes]:
        opening, ending = self._around()
        item = {"type": "message", "id": f"msg_{ID.decode()}", "role": "assistant", "status": "completed"}
        said = [{"type": "output_text", "text": "word " * deltas, "annotations": []}]
        filled = {"type": "response.output_text.delta", "item_id": item["id"], "output_index": 0, "delta": "word "}
        events: list[Event] = [
            opening,
            {"type": "response.output_item.added", "output_index": 0, "item": item | {"content": []}},
            *[filled | {"content_index": 0}] * deltas,
            {"type": "response.output_item.done", "output_index": 0, "item": item | {"content": said}},
            ending,
        ]
        return [_sse(event) for event in events]


WIRES = {b"/messages": AnthropicWire(), b"/responses": ResponsesWire()}
"""By how the path of a request ends."""


def call_reply(wire: AnthropicWire | ResponsesWire, tool: str, tool_input: Event) -> bytes:
    """A reply that asks for one tool call, whole: it leaves in one piece."""
    return b"".join(_chunk(event) for event in wire.call(tool, tool_input)) + LAST_CHUNK


def text_reply(wire: AnthropicWire | ResponsesWire, deltas: int) -> list[bytes]:
    """The last reply, one piece per event: each leaves by itself."""
    pieces = [_chunk(event) for event in wire.text(deltas)]
    return [*pieces[:-1], pieces[-1] + LAST_CHUNK]
