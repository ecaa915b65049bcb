"""What has this thread seen of a file, and is that still so?"""

from os import stat_result

from msgspec import Struct


class Seen(Struct, frozen=True):
    modified_ns: int
    size: int
    digest: int | None
    """Of the whole content, where it was small enough to be read whole."""


class ReadLog:
    """Remembers how files were when the thread last read or wrote them. One per thread, gone with it."""

    def __init__(self) -> None:
        self._seen: dict[str, Seen] = {}

    def note(self, path: str, stat: stat_result, content: bytes | None) -> None:
        # The built-in hash is keyed per process, which is all that is needed here, and needs no import.
        digest = None if content is None else hash(content)
        self._seen[path] = Seen(stat.st_mtime_ns, stat.st_size, digest)

    def has_seen(self, path: str) -> bool:
        return path in self._seen

    def has_changed(self, path: str, stat: stat_result, content: bytes) -> bool:
        """Whether the file is another one than the thread saw. A mere touch does not count."""
        seen = self._seen.get(path)
        if seen is None or (seen.modified_ns, seen.size) == (stat.st_mtime_ns, stat.st_size):
            return False
        return seen.digest is None or seen.digest != hash(content)
