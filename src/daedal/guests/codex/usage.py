"""What did Codex use? Its counts in our words: ours leave out of the input what came from a cache or went to one."""

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
