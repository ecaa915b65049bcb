"""How long is that, in words? `1h 5m`, `1m 30s`, `5s`; parts of nothing are left out."""


def in_words(seconds: float) -> str:
    whole = max(0, int(seconds))
    parts = ((whole // 3600, "h"), (whole % 3600 // 60, "m"), (whole % 60, "s"))
    return " ".join(f"{count}{unit}" for count, unit in parts if count) or "0s"


def seconds_of(text: str) -> float:
    """What `90s`, `30m`, `8h`, `1h30m` or a plain number of seconds means. Raises ValueError."""
    import re

    found = re.fullmatch(r"(?:(\d+)h)?\s*(?:(\d+)m)?\s*(?:(\d+)s?)?", text.strip())
    if not found or not any(found.groups()):
        raise ValueError(f"{text!r} is no duration")
    hours, minutes, seconds = (int(part or 0) for part in found.groups())
    total = hours * 3600 + minutes * 60 + seconds
    if total <= 0:
        raise ValueError(f"{text!r} is no duration")
    return float(total)
