"""A keyring for tests, as a plug-in of the real `keyring`: a file in the home folder of the test."""

import json
import os
from pathlib import Path

from keyring.backend import KeyringBackend


class FileKeyring(KeyringBackend):
    priority = 1  # type: ignore[assignment]
    name = "keyring of the tests"

    @property
    def _file(self) -> Path:
        return Path(os.environ["HOME"]) / "keyring.json"

    def _all(self) -> dict[str, str]:
        return json.loads(self._file.read_text()) if self._file.exists() else {}

    def get_password(self, service: str, username: str) -> str | None:
        if os.environ.get("KEYRING_IS_LOCKED"):
            raise RuntimeError("locked")
        return self._all().get(f"{service} {username}")

    def set_password(self, service: str, username: str, password: str) -> None:
        self._file.write_text(json.dumps({**self._all(), f"{service} {username}": password}))

    def delete_password(self, service: str, username: str) -> None:
        self._file.write_text(
            json.dumps({key: value for key, value in self._all().items() if key != f"{service} {username}"})
        )
