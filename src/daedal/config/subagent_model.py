"""Which model does a sub-agent run on? What the user set for it by name, what it says itself, what they set for all."""

from collections.abc import Mapping

INHERIT = "inherit"
"""The model of whoever asks."""


def subagent_model_for(name: str, said: str, *, default: str, by_name: Mapping[str, str]) -> str | None:
    """None means the model of whoever asks. `name` is a skill's or an agent's, `said` what its file says.

    Settings are keys of TOML, so `security_review` stands for `security-review` too.
    """
    model = by_name.get(name) or by_name.get(name.replace("-", "_")) or said or default
    return None if model in ("", INHERIT) else model
