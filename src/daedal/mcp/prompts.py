"""What does a server's prompt say, as text for the model?"""

from collections.abc import Mapping
from typing import Any, cast

from daedal.mcp.results import capped, outcome_of


def prompt_text(result: Mapping[str, Any]) -> str:
    """Of a GetPromptResult as plain data: its messages, with who says them where that is not the person."""
    parts: list[str] = []
    for message in cast("list[Any]", result.get("messages") or []):
        said = cast("dict[str, Any]", message)
        text = outcome_of({"content": [said.get("content")]}).content
        parts.append(text if said.get("role") == "user" else f"[{said.get('role')}]\n{text}")
    return capped("\n\n".join(parts))
