"""What has this session used up? Tokens, how many of them came from the cache, and dollars, by model."""

from collections.abc import Sequence

from daedal.protocol.catalogue import say
from daedal.protocol.housekeeping import ModelUsage, UsageReadParams
from daedal.tui.face import Face
from daedal.tui.listing import listing
from daedal.tui.view import Notice


async def run(face: Face, arguments: str) -> None:
    del arguments
    usage = await face.call("thread/usage/read", UsageReadParams(thread_id=face.view.thread_id))
    if not usage.data:
        face.tell(Notice(say("tui.cost.nothing")))
        return
    has_several = len({one.provider for one in usage.data}) > 1
    rows = [_row(one, _name(one, with_provider=has_several)) for one in usage.data]
    total = total_of(usage.data)
    if len(rows) > 1:
        rows.append(_row(total, say("tui.cost.total")))
    notes = [_cache(total)]
    if usage.subagents:
        notes.append(say("tui.cost.subagents", count=usage.subagents))
    if total.cost_usd is None:
        notes.append(say("tui.cost.unpriced"))
    face.tell(listing(say("tui.cost.title"), say("tui.cost.headings"), rows, notes=notes, numbers=tuple(range(1, 7))))


def _name(one: ModelUsage, *, with_provider: bool) -> str:
    name = f"{one.model} ({one.provider})" if with_provider else one.model
    return say("tui.cost.subagent", model=name) if one.is_subagent else name


def _row(one: ModelUsage, name: str) -> list[str]:
    counts = (one.calls, one.input_tokens, one.cache_read_tokens, one.cache_write_tokens, one.output_tokens)
    return [name, *(f"{count:,}" for count in counts), dollars(one.cost_usd)]


def _cache(total: ModelUsage) -> str:
    read = total.input_tokens + total.cache_read_tokens + total.cache_write_tokens
    return say("tui.cost.cache", percent=round(100 * total.cache_read_tokens / read) if read else 0)


def total_of(data: Sequence[ModelUsage]) -> ModelUsage:
    costs = [one.cost_usd for one in data]
    return ModelUsage(
        provider="",
        model="",
        is_subagent=False,
        calls=sum(one.calls for one in data),
        input_tokens=sum(one.input_tokens for one in data),
        cache_read_tokens=sum(one.cache_read_tokens for one in data),
        cache_write_tokens=sum(one.cache_write_tokens for one in data),
        output_tokens=sum(one.output_tokens for one in data),
        reasoning_tokens=sum(one.reasoning_tokens for one in data),
        cost_usd=None if None in costs else sum(cost for cost in costs if cost is not None),
    )


def dollars(cost_usd: float | None) -> str:
    if cost_usd is None:
        return "?"
    return f"${cost_usd:.2f}" if cost_usd >= 1 or cost_usd == 0 else f"${cost_usd:.4f}"
