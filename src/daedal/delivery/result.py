"""What did a delivery come to?"""

from msgspec import Struct

from daedal.delivery.duration import in_words
from daedal.delivery.termination import Reason
from daedal.protocol.catalogue import say


class DeliveryResult(Struct, rename="camel", frozen=True, kw_only=True):
    success: bool
    reason: Reason
    command: str
    iterations: int
    passed: int
    total: int
    blocked: int
    verified: int
    total_to_verify: int
    duration_s: float
    cost_usd: float
    interrupted: bool = False
    quota_exceeded: bool = False
    error: str | None = None
    max_iterations: int | None = None


def overall(result: DeliveryResult) -> str:
    counts = (
        say("delivery.verified_counts", verified=result.verified, total=result.total_to_verify)
        if result.command == "sync"
        else say("delivery.passed_counts", passed=result.passed, total=result.total)
    )
    return say(
        "delivery.overall",
        sessions=result.iterations,
        counts=counts,
        cost=f"{result.cost_usd:.4f}",
        duration=in_words(result.duration_s),
    )


def ending(result: DeliveryResult) -> str:
    """The sentence for why it ended."""
    total = result.total_to_verify if result.reason is Reason.ALL_VERIFIED else result.total
    return say(
        f"delivery.ended.{result.reason}",
        total=total,
        max_iterations=result.max_iterations,
        error=result.error or "",
    )


def found(result: DeliveryResult, passed: int, blocked: int, total: int) -> str:
    """What a finished `sync` found, in a few words; empty where it is not finished."""
    if result.reason is not Reason.ALL_VERIFIED:
        return ""
    if passed == total:
        return say("delivery.found.all_passed")
    if blocked == total:
        return say("delivery.found.all_blocked")
    return say("delivery.found.some_blocked" if blocked else "delivery.found.partial")
