"""What did Codex use, and what is left? Its counts in our words: our input leaves out what a cache gave or got."""

from typing import Any, cast

from daedal.protocol.model import Usage


def counted(breakdown: Any) -> Usage:
    """Of one model call, as `rawResponse/completed` and `thread/tokenUsage/updated` tell it."""
    told = cast("dict[str, Any]", breakdown) if isinstance(breakdown, dict) else {}
    cached, written = int(told.get("cachedInputTokens") or 0), int(told.get("cacheWriteInputTokens") or 0)
    return Usage(
        input_tokens=max(int(told.get("inputTokens") or 0) - cached - written, 0),
        output_tokens=int(told.get("outputTokens") or 0),
        cache_read_tokens=cached,
        cache_write_tokens=written,
        reasoning_tokens=int(told.get("reasoningOutputTokens") or 0),
    )


def exhausted_until(limits: Any) -> int | None:
    """When all windows are open again, of `account/rateLimits/updated`; None where none is used up."""
    told = cast("dict[str, Any]", limits) if isinstance(limits, dict) else {}
    windows = [cast("dict[str, Any]", told[name]) for name in ("primary", "secondary") if told.get(name)]
    return max(
        (int(one["resetsAt"]) for one in windows if one.get("resetsAt") and one["usedPercent"] >= 100), default=None
    )
