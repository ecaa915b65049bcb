"""How does a scripted model say what only Codex understands? Patches as plain text, and tools in a namespace."""

import json
from typing import Any

from tests.toolbox.model_server import Reply

USAGE = {
    "input_tokens": 11,
    "input_tokens_details": {"cached_tokens": 4},
    "output_tokens": 7,
    "output_tokens_details": {"reasoning_tokens": 2},
    "total_tokens": 18,
}


def patch(call_id: str, *lines: str) -> Reply:
    text = "\n".join(["*** Begin Patch", *lines, "*** End Patch", ""])
    return codex_reply(call_id, "custom_tool_call", name="apply_patch", input=text)


def codex_reply(call_id: str, kind: str, **more: Any) -> Reply:
    """One item of that kind."""
    item = {"type": kind, "id": f"item_{call_id}", "call_id": call_id, "status": "completed", **more}
    events = [
        {"type": "response.created", "response": {"id": f"resp_{call_id}"}},
        {"type": "response.output_item.done", "output_index": 0, "item": item},
        {"type": "response.completed", "response": {"id": f"resp_{call_id}", "usage": USAGE}},
    ]
    body = "".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events)
    return Reply(body=body, headers={"content-type": "text/event-stream"})
