"""How does a session read as a document? Prompts and answers quoted, tool calls and results fenced.

Nothing that a model or a tool wrote can leave its place: quoted lines all start with a mark, a fence is longer than any
run of backticks inside it, and headings hold only our own words and code spans.
"""

import re
from collections.abc import Iterator
from typing import Any

import msgspec

from daedal.protocol.catalogue import say
from daedal.protocol.records import EntryType, StoredEntry, StoredSession

_LINE_ENDS = re.compile(r"\r\n|\n|\r")
_BACKTICKS = re.compile(r"`+")


def markdown(session: StoredSession, entries: Iterator[StoredEntry]) -> Iterator[str]:
    yield from _opening(session)
    turn, number = "", 0
    shown: set[str] = set()
    for entry in entries:
        if entry.turn_id != turn:
            turn, number = entry.turn_id, number + 1
            yield f"## {say('ledger.export_turn', number=number)}\n\n"
        yield from _entry(entry, shown)


def fenced(text: str, language: str = "") -> str:
    """A code block that its content cannot end."""
    fence = "`" * max(3, _longest_run(text) + 1)
    return f"{fence}{language}\n{text}{'' if text.endswith(chr(10)) else chr(10)}{fence}\n\n"


def quoted(text: str) -> str:
    """A block quote: whatever a line opens (a fence, a comment, a tag) ends with the quote."""
    return "".join(f"> {line}".rstrip() + "\n" for line in _LINE_ENDS.split(text)) + "\n"


def span(text: str) -> str:
    """A code span on one line."""
    flat = " ".join(text.split()) or say("ledger.export_empty")
    ticks = "`" * (_longest_run(flat) + 1)
    pad = " " if flat.startswith("`") or flat.endswith("`") else ""
    return f"{ticks}{pad}{flat}{pad}{ticks}"


def _longest_run(text: str) -> int:
    return max((len(run) for run in _BACKTICKS.findall(text)), default=0)


def _opening(session: StoredSession) -> Iterator[str]:
    yield f"# {say('ledger.export_title', session=span(session.session_id))}\n\n"
    facts = {
        "ledger.export_project": session.project_dir,
        "ledger.export_model": f"{session.provider}/{session.model_id}",
        "ledger.export_started": session.started_at,
        "ledger.export_last_active": session.last_active,
        "ledger.export_cost": f"{session.cost_usd:.4f} USD",
    }
    for key, value in facts.items():
        yield f"- {say(key)}: {span(value)}\n"
    yield "\n"


def _entry(entry: StoredEntry, shown: set[str]) -> Iterator[str]:
    payload = entry.payload
    match entry.entry_type:
        case EntryType.USER:
            yield from _blocks(payload["content"], say("ledger.export_prompt"), shown)
        case EntryType.ASSISTANT:
            yield from _blocks(payload["content"], say("ledger.export_answer"), shown)
        case EntryType.TOOL_USE:
            yield from _call(payload, shown)
        case EntryType.TOOL_RESULT:
            yield from _result(payload)
        case EntryType.SYSTEM:
            yield f"### {say('ledger.export_system', subtype=span(payload['subtype']))}\n\n"
            yield fenced(_pretty(payload), "json")
        case _:
            yield f"*{say('ledger.export_other', sequence=entry.sequence, kind=entry.entry_type)}*\n\n"


def _blocks(content: list[dict[str, Any]], title: str, shown: set[str]) -> Iterator[str]:
    for block in content:
        if block["type"] == "text":
            yield f"### {title}\n\n{quoted(block['text'])}"
        elif block["type"] == "tool_use":
            yield from _call(block, shown)
        else:
            yield from _result(block)


def _call(call: dict[str, Any], shown: set[str]) -> Iterator[str]:
    """A call stands both in the answer that asked for it and in a row of its own; it is shown once."""
    if call["id"] not in shown:
        shown.add(call["id"])
        yield f"### {say('ledger.export_call', name=span(call['name']))}\n\n{fenced(_pretty(call['input']), 'json')}"


def _result(result: dict[str, Any]) -> Iterator[str]:
    title = "ledger.export_failure" if result["is_error"] else "ledger.export_result"
    yield f"#### {say(title)}\n\n{fenced(result['content'])}"


def _pretty(value: Any) -> str:
    return msgspec.json.format(msgspec.json.encode(value), indent=2).decode()
