"""Which settings files have changed since they were read? What is in force stays so until the next start."""

import os

from daedal.config import Files

State = tuple[int, int, int] | None


class SettingsWatch:
    def __init__(self, files: Files) -> None:
        local = [path for path in files.brought() if path and path.endswith(".local.json")]
        owners = [("user_settings", files.user), ("policy_settings", files.managed)]
        owners += [("local_settings" if path in local else "project_settings", path) for path in files.brought()]
        self._files = [(owner, path) for owner, path in owners if path is not None]
        self._seen = {path: _state(path) for _, path in self._files}

    def changed(self) -> list[tuple[str, str]]:
        """Each with whose it is; a change is told once."""
        found: list[tuple[str, str]] = []
        for owner, path in self._files:
            now = _state(path)
            if now != self._seen[path]:
                self._seen[path] = now
                found.append((owner, path))
        return found


def _state(path: str) -> State:
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_ino, status.st_size, status.st_mtime_ns
