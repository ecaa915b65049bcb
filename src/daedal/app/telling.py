"""What of the settings may be told? All of it but keys that somebody has written out, or what looks like one."""

from typing import Any

from daedal.app.startup import without_values
from daedal.ledger import without_lookalikes


def told(plain: dict[str, Any]) -> dict[str, Any]:
    """Plain settings by their table names."""
    plugins = plain.get("plugins")
    shown = {**plain, "plugins": [without_values(plugin) for plugin in plugins]} if plugins else plain
    return without_lookalikes(shown)


def told_row(key: str, value: Any) -> Any:
    """One setting of a list of them: `plugins[0]`, `agent.effort`."""
    return without_lookalikes(without_values(value) if key.startswith("plugins") else value)
