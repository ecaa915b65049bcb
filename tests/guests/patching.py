"""How does a scripted model patch files in Codex? By a call whose argument is plain text, which only Codex has."""

import json

from tests.toolbox.model_server import Reply


def patch(call_id: str, *lines: str) -> Reply:
    text = "\n".join(["*** Begin Patch", *lines, "*** End Patch", ""])
    call = {"type": "custom_tool_call", "id": f"ctc_{call_id}", "call_id": call_id, "name": "apply_patch"}
    usage = {
        "input_tokens": 11,
        "input_tokens_details": {"cached_tokens": 4},
        "output_tokens": 7,
        "output_tokens_details": {"reasoning_tokens": 2},
        "total_tokens": 18,
    }
    events = [
        {"type": "response.created", "response": {"id": f"resp_{call_id}"}},
        {
            "type": "response.output_item.done",
            "output_index": 0,
            "item": {**call, "input": text, "status": "completed"},
        },
        {"type": "response.completed", "response": {"id": f"resp_{call_id}", "usage": usage}},
    ]
    body = "".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events)
    return Reply(body=body, headers={"content-type": "text/event-stream"})
