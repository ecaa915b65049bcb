"""Is a file still what it was left as? Told by an imprint: a hash of what it holds, or that there is none."""

import asyncio
import os
import stat

ABSENT = "absent"
OTHER = "other"
"""Neither a file nor a link, or it cannot be read, or is too large to be looked at each time."""
BYTES_MAX = 67_108_864
_INLINE_BYTES_MAX = 262_144


async def imprint(path: str) -> str:
    try:
        found = os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return ABSENT
    except (OSError, ValueError):
        return OTHER
    if stat.S_ISLNK(found.st_mode):
        try:
            return imprint_of(os.fsencode(os.readlink(path)), is_link=True)
        except OSError:
            return OTHER
    if not stat.S_ISREG(found.st_mode) or found.st_size > BYTES_MAX:
        return OTHER
    if found.st_size > _INLINE_BYTES_MAX:
        return await asyncio.to_thread(_of_file, path)
    return _of_file(path)


def imprint_of(content: bytes | None, *, is_link: bool = False) -> str:
    from hashlib import sha256

    if content is None:
        return ABSENT
    return f"{'link' if is_link else 'file'}:{sha256(content).hexdigest()}"


def _of_file(path: str) -> str:
    try:
        # A pipe or a link that took the name meanwhile must not make anybody wait, or look elsewhere.
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        with open(descriptor, "rb") as file:
            return imprint_of(file.read(BYTES_MAX + 1))
    except OSError:
        return OTHER
