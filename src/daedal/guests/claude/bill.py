"""What did the last stretch of work cost? Claude tells what a conversation has cost so far, also after a restart.

What was told last is kept beside Claude's own record of the conversation, so that nothing is counted twice.
"""

import os


class Bill:
    def __init__(self, home: str, session_id: str) -> None:
        self._path = os.path.join(home, "bills", session_id)

    def more(self, total_usd: float | None) -> float | None:
        """What came on top of what was told before. None where Claude does not say."""
        if total_usd is None:
            return None
        more = total_usd - self._before()
        os.makedirs(os.path.dirname(self._path), mode=0o700, exist_ok=True)
        with open(self._path, "w", encoding="ascii") as file:
            file.write(f"{total_usd!r}\n")
        return max(more, 0.0)

    def _before(self) -> float:
        try:
            with open(self._path, encoding="ascii") as file:
                return float(file.read())
        except (OSError, ValueError):
            return 0.0
