"""What are a server and its tools called here? `mcp__<server>__<tool>`, in letters that every model endpoint takes."""

import re

SLUG_MAX = 32
NAME_MAX = 64
"""What the strictest endpoint takes."""
_HASH_DIGITS = 8


def slug_of(name: str) -> str:
    """A server's name in lower case, without what would make it two names. Empty where nothing of it is left."""
    plain = re.sub(r"[^a-z0-9_-]+", "_", name.lower())
    return re.sub(r"_{2,}", "_", plain).strip("_-")[:SLUG_MAX].rstrip("_-")


def tool_name(slug: str, raw: str) -> str:
    return _fitting(f"mcp__{slug}__", raw)


def prompt_name(slug: str, raw: str) -> str:
    """Of the slash command, without the slash."""
    return _fitting(f"mcp__{slug}__", raw)


def distinct(name: str, raw: str) -> str:
    """Another name for something whose own is taken: two raw names can come to the same."""
    return f"{name[: NAME_MAX - _HASH_DIGITS - 1]}_{_digest(raw)}"


def _fitting(prefix: str, raw: str) -> str:
    name = prefix + re.sub(r"[^A-Za-z0-9_-]", "_", raw)
    return name if len(name) <= NAME_MAX else distinct(name, raw)


def _digest(raw: str) -> str:
    from hashlib import sha256

    return sha256(raw.encode("utf-8", "surrogatepass")).hexdigest()[:_HASH_DIGITS]
