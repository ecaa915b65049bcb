"""What was prompted before? A file in the user's own folder that only the user can read, the newest last."""

import os

import msgspec

KEPT_MAX = 1000
FILE_BYTES_MAX = 4 << 20
UNSPOKEN = ("/login", "/logout")
"""What follows them may be a key."""


class Entry(msgspec.Struct, frozen=True):
    text: str
    folder: str = ""


class History:
    """Read when it is first needed. Several chats may write to it at once: each adds lines of its own."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._entries: list[str] | None = None
        self._at = 0
        """How far back we are; 0 is what is being written now."""
        self._draft = ""

    @property
    def entries(self) -> list[str]:
        if self._entries is None:
            self._entries = _read(self._path)
        return self._entries

    def add(self, text: str, folder: str) -> None:
        self._at = 0
        if not text.strip() or text.startswith(UNSPOKEN):
            return
        entries = self.entries
        if entries and entries[-1] == text:
            return
        entries.append(text)
        _append(self._path, Entry(text, folder))

    def back(self, current: str) -> str | None:
        """One further back; None where there is nothing more."""
        if self._at >= len(self.entries):
            return None
        if self._at == 0:
            self._draft = current
        self._at += 1
        return self.entries[-self._at]

    def forth(self) -> str | None:
        if self._at == 0:
            return None
        self._at -= 1
        return self._draft if self._at == 0 else self.entries[-self._at]

    def rest(self) -> None:
        """Whoever changes an earlier prompt is writing a new one."""
        self._at = 0


def _read(path: str) -> list[str]:
    try:
        with open(path, "rb") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(size - FILE_BYTES_MAX, 0))
            lines = file.read().splitlines()[-KEPT_MAX:]
    except OSError:
        return []
    decode = msgspec.json.Decoder(Entry).decode
    found: list[str] = []
    for line in lines:
        try:
            found.append(decode(line).text)
        except msgspec.DecodeError:
            continue  # Half a line of somebody who was cut off.
    return found


def _append(path: str, entry: Entry) -> None:
    """What cannot be written down is remembered until the end of this chat."""
    try:
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
        descriptor = os.open(path, flags, 0o600)
        with open(descriptor, "ab") as file:
            file.write(msgspec.json.encode(entry) + b"\n")
    except OSError:
        return
