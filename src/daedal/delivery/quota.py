"""Has the subscription's quota run out, and until when? Read from what the provider says, in any zone."""

import re
from datetime import UTC, datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo

LIMIT = re.compile(
    r"you(?:'|\N{RIGHT SINGLE QUOTATION MARK})ve hit your (?:\w+ )?limit|usage limit reached", re.IGNORECASE
)
RESETS = re.compile(
    r"resets?\s+(?:at\s+)?(\d{1,2})(?::(\d{2}))?(?::(\d{2}))?\s*([ap])\.?m\.?(?:\s*\(([A-Za-z0-9_+\-/: ]{1,40})\))?",
    re.IGNORECASE,
)
EPOCH = re.compile(r"usage limit reached\|(\d{10})\b", re.IGNORECASE)
TEXT_MAX = 10_000
"""A limit is said in a line; nobody searches a novel for it."""
MESSAGE_MAX = 300
JUST_NOW = timedelta(minutes=10)
"""A reset so shortly ago is meant, not the same time tomorrow: clocks differ, and a message travels."""
UNKNOWN_S = 900.0
"""How long to wait where nobody says until when."""
AGAIN_S = 5.0
"""At least so long before the next try where the time named is over already."""


def is_quota_exceeded(text: str) -> bool:
    return bool(LIMIT.search(text[:TEXT_MAX]))


def is_quota_message(answer: str) -> bool:
    """Whether an answer is that message, and not a text that speaks of it."""
    plain = answer.strip()
    return len(plain) <= MESSAGE_MAX and is_quota_exceeded(plain)


def reset_time(text: str, now: datetime) -> datetime | None:
    """When the quota is there again; None where the text does not say. `now` has a zone."""
    if stamp := EPOCH.search(text[:TEXT_MAX]):
        return datetime.fromtimestamp(int(stamp[1]), UTC)
    found = RESETS.search(text[:TEXT_MAX])
    if not found:
        return None
    hour, minute, second = int(found[1]), int(found[2] or 0), int(found[3] or 0)
    if not (1 <= hour <= 12 and minute < 60 and second < 60):
        return None
    zone = _zone(found[5] or "UTC")
    if zone is None:
        return None
    hour = hour % 12 + (12 if found[4].lower() == "p" else 0)
    today = now.astimezone(zone).replace(hour=hour, minute=minute, second=second, microsecond=0)
    for day in (-1, 0, 1):
        candidate = today + timedelta(days=day)
        if candidate >= now - JUST_NOW:
            return candidate
    return None


def wait_s(reset: datetime | None, now: datetime, *, attempt: int) -> float:
    """How long to wait. Each attempt at a time that is over already waits twice as long as the one before."""
    if reset is None:
        return UNKNOWN_S
    remaining = (reset - now).total_seconds()
    return remaining if remaining > 0 else min(AGAIN_S * 2 ** min(attempt, 10), UNKNOWN_S)


def clock(reset: datetime) -> str:
    """`6:00 PM UTC`."""
    hour = reset.hour % 12 or 12
    zone = reset.tzname() or "UTC"
    return f"{hour}:{reset:%M} {'PM' if reset.hour >= 12 else 'AM'} {zone}"


def _zone(name: str) -> tzinfo | None:
    plain = name.strip()
    if plain.upper() in ("UTC", "GMT", "Z"):
        return UTC
    if offset := re.fullmatch(r"(?:UTC|GMT)?([+-])(\d{1,2})(?::?(\d{2}))?", plain, re.IGNORECASE):
        away = timedelta(hours=int(offset[2]), minutes=int(offset[3] or 0))
        from datetime import timezone

        return timezone(away if offset[1] == "+" else -away) if away < timedelta(hours=24) else None
    try:
        return ZoneInfo(plain)
    except (KeyError, ValueError, OSError):
        return None
