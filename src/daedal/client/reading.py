"""How does what any app-server tells become our events? Daedal says them as they are, Codex nearly so.

What Codex leaves out is filled in. Items for which we have no word of our own become calls of a tool, as they would be
here: a search, a plan that is submitted, a tool of an MCP server.
"""

from typing import Any, cast

import msgspec

from daedal.client.error_kinds import kind_of, reason_of
from daedal.client.gathered_items import Growth
from daedal.protocol.events import METHODS, Event
from daedal.protocol.items import Given, Item, ItemStatus
from daedal.protocol.threads import Thread

Told = dict[str, Any]

EVENTS: dict[str, type[Event]] = {method: kind for kind, method in METHODS.items()}
GROWING = {"item/plan/delta": ("plan", ""), "item/reasoning/summaryTextDelta": ("summary", "summaryIndex")}
COUNTS = (
    "totalTokens",
    "inputTokens",
    "cachedInputTokens",
    "cacheWriteInputTokens",
    "outputTokens",
    "reasoningOutputTokens",
)


def event_of(method: str, params: Any) -> Event | None:
    """None for what is no event of ours, or cannot be read."""
    kind = EVENTS.get(method)
    if kind is None or type(params) is kind:
        return params if kind is not None else None
    if not isinstance(params, dict):
        return None
    told = cast("Told", params)
    return _read(told, kind) or _read(_filled(told, is_over=method == "item/completed"), kind)


def growth_of(method: str, params: Any) -> Growth | None:
    """The same for deltas that only Codex has."""
    part, index = GROWING.get(method, ("", ""))
    if not part or not isinstance(params, dict):
        return None
    told = cast("Told", params)
    return _read({**told, "part": part, "index": told.get(index, 0)}, Growth)


def thread_of(told: Any) -> Thread | None:
    if isinstance(told, Thread) or not isinstance(told, dict):
        return told if isinstance(told, Thread) else None
    return _read(told, Thread) or _read(_thread(cast("Told", told)), Thread)


def _read(told: Any, kind: type[Any]) -> Any:
    try:
        return msgspec.convert(told, kind)
    except msgspec.ValidationError:
        return None


def _filled(told: Told, *, is_over: bool) -> Told:
    filled = dict(told)
    if isinstance(told.get("item"), dict):
        filled["item"] = _item(told["item"], is_over=is_over)
    if isinstance(told.get("turn"), dict):
        filled["turn"] = _turn(told["turn"])
    if isinstance(told.get("thread"), dict):
        filled["thread"] = _thread(told["thread"])
    if isinstance(told.get("error"), dict):
        filled["error"] = _error(told["error"])
    if isinstance(told.get("tokenUsage"), dict):
        filled["tokenUsage"] = _usage(told["tokenUsage"])
    return filled


def _thread(told: Told) -> Told:
    return {
        **told,
        "model": told.get("model") or "",
        "source": told["source"] if isinstance(told.get("source"), str) else "",
        "turns": [_turn(turn) for turn in _objects(told.get("turns"))],
    }


def _turn(told: Told) -> Told:
    is_over = told.get("status") != "inProgress"
    items = [_item(item, is_over=is_over) for item in _objects(told.get("items"))]
    return {**told, "items": items, "error": _error(told["error"]) if isinstance(told.get("error"), dict) else None}


def _error(told: Told) -> Told:
    info = told.get("codexErrorInfo")
    return {"kind": str(kind_of(info)[0]), **told, "codexErrorInfo": reason_of(info)[0] or None}


def _usage(told: Told) -> Told:
    return {
        **told,
        "total": _counts(told.get("total")),
        "last": _counts(told.get("last")),
        "costUsd": told.get("costUsd"),
    }


def _counts(told: Any) -> Told:
    counts = cast("Told", told) if isinstance(told, dict) else {}
    return {key: counts.get(key) or 0 for key in COUNTS}


def _item(told: Told, *, is_over: bool) -> Told:
    if _read(told, cast("type[Any]", Item)) is not None:
        return told
    if told.get("type") == "userMessage":
        return {**told, "content": [part for part in _objects(told.get("content")) if _is_given(part)]}
    return _call(told, is_over=is_over)


def _is_given(part: Told) -> bool:
    return _read(part, cast("type[Any]", Given)) is not None


def _call(told: Told, *, is_over: bool) -> Told:
    usual = ItemStatus.COMPLETED if is_over else ItemStatus.IN_PROGRESS
    status = told.get("status")
    arguments: Any
    match told.get("type"):
        case "mcpToolCall":
            tool, arguments = f"mcp__{told.get('server')}__{told.get('tool')}", told.get("arguments")
        case "dynamicToolCall":
            tool, arguments = str(told.get("tool")), told.get("arguments")
        case "plan":
            tool, arguments = "ExitPlanMode", {"plan": str(told.get("text") or "")}
        case "webSearch":
            tool, arguments = "WebSearch", {"query": told.get("query")}
        case other:
            tool, arguments = str(other), {key: told[key] for key in told if key not in ("id", "type", "status")}
    duration = told.get("durationMs")
    return {
        "type": "dynamicToolCall",
        "id": told.get("id"),
        "tool": tool,
        "arguments": cast("Told", arguments) if isinstance(arguments, dict) else {"arguments": arguments},
        "status": status if status in list(ItemStatus) else usual,
        "durationMs": duration if isinstance(duration, int) else None,
        "contentItems": _content(told.get("result")),
        "success": status == "completed" if status in ("completed", "failed") else None,
        "reason": _why(told.get("error")),
    }


def _content(result: Any) -> list[Told] | None:
    """What an MCP server's tool said, as the content of any other call."""
    if not isinstance(result, dict):
        return None
    parts = _objects(cast("Told", result).get("content"))
    return [{"type": "inputText", "text": str(part.get("text"))} for part in parts if part.get("type") == "text"]


def _why(error: Any) -> str | None:
    if isinstance(error, dict):
        return str(cast("Told", error).get("message") or "")
    return error if isinstance(error, str) else None


def _objects(value: Any) -> list[Told]:
    parts = cast("list[Any]", value) if isinstance(value, list) else []
    return [cast("Told", part) for part in parts if isinstance(part, dict)]
