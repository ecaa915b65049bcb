"""What looks like a secret? Used for what leaves the machine; the record itself keeps every byte.

Known credentials never reach the ledger: they are replaced where they enter. This is for those nobody told us about,
which a tool result or a prompt may have carried in.
"""

import re
from functools import cache
from typing import Any, cast

_PATTERNS = {
    "private-key": r"-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----(?s:.*?)(?:-----END [A-Z0-9 ]*PRIVATE KEY-----|\Z)",
    "api-key": r"(?<![A-Za-z0-9])(?:sk-(?=[A-Za-z_-]{0,64}[0-9])[A-Za-z0-9_-]{16,}|[sr]k_(?:live|test)_[A-Za-z0-9]{16,}"
    r"|(?:hf|npm)_[A-Za-z0-9]{30,}|pypi-[A-Za-z0-9_-]{50,})",
    "github-token": r"(?<![A-Za-z0-9])(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,})",
    "gitlab-token": r"(?<![A-Za-z0-9])glpat-[A-Za-z0-9_-]{16,}",
    "aws-key": r"(?<![A-Za-z0-9])(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])",
    "google-key": r"(?<![A-Za-z0-9])AIza[A-Za-z0-9_-]{35}",
    "slack-token": r"(?<![A-Za-z0-9])xox[abeoprs]-[A-Za-z0-9-]{10,}",
    "jwt": r"(?<![A-Za-z0-9])eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*",
    "bearer": r"(?i:\bbearer\s{1,8})(?=[A-Za-z._~+/=-]{0,64}[0-9])[A-Za-z0-9._~+/=-]{16,}",
    "authorization": r"(?i:\bauthorization[\"']?\s{0,8}[:=]\s{0,8}[\"']?(?:basic|bearer|token)\s{1,8})"
    r"[A-Za-z0-9._~+/=-]{8,}",
}


@cache
def _any() -> re.Pattern[str]:
    """All of them at once; compiled when something first leaves, not at every start."""
    return re.compile("|".join(f"(?P<{name.replace('-', '_')}>{pattern})" for name, pattern in _PATTERNS.items()))


def without_lookalikes(value: Any) -> Any:
    """The same JSON value, with every text in it redacted."""
    if isinstance(value, str):
        return _any().sub(_marked, value)
    if isinstance(value, dict):
        pairs = cast("dict[str, Any]", value)
        return {without_lookalikes(key): without_lookalikes(item) for key, item in pairs.items()}
    if isinstance(value, list):
        return [without_lookalikes(item) for item in cast("list[Any]", value)]
    return value


def _marked(match: re.Match[str]) -> str:
    return f"[REDACTED:{(match.lastgroup or '').replace('_', '-')}]"
