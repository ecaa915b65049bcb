"""Which choices outlast a chat? A small file in the user's own folder."""

import os

import msgspec


class Choices(msgspec.Struct, frozen=True):
    theme: str = "dark"
    vi: bool = False


class Remembered:
    def __init__(self, path: str) -> None:
        self._path = path
        self.choices = _read(path)

    def choose(self, **changed: object) -> None:
        """What cannot be written down holds until the end of this chat."""
        self.choices = msgspec.structs.replace(self.choices, **changed)
        scratch = f"{self._path}.{os.getpid()}"
        try:
            os.makedirs(os.path.dirname(self._path), mode=0o700, exist_ok=True)
            with open(scratch, "wb") as file:
                file.write(msgspec.json.encode(self.choices))
            os.replace(scratch, self._path)
        except OSError:
            return


def _read(path: str) -> Choices:
    try:
        with open(path, "rb") as file:
            return msgspec.json.decode(file.read(), type=Choices)
    except (OSError, msgspec.DecodeError):
        return Choices()
