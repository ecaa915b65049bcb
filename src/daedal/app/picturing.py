"""What does an image that a person gives look like? Its bytes, from a `data:` address or a file, once they are one.

Its kind is told by its own structure, never by what it is called: an endpoint refuses a request with anything else in
it, and would refuse every later request of that conversation too.
"""

import asyncio
import os
from base64 import b64decode, b64encode
from binascii import Error as NoBase64

from daedal.app.prompting import closed_files, read_rules
from daedal.app.startup import Startup
from daedal.engine import Terms
from daedal.permissions import inside_any
from daedal.protocol.catalogue import say
from daedal.protocol.content import Image, Picture
from daedal.protocol.errors import UsageError
from daedal.protocol.items import ImageInput, LocalImageInput
from daedal.tools import IMAGE_BYTES_MAX, SIDE_PIXELS_MAX, measure


class Pictures:
    """Looks at images for the threads of one house."""

    def __init__(self, startup: Startup) -> None:
        self._startup = startup

    async def __call__(self, given: ImageInput | LocalImageInput, terms: Terms, cwd: str) -> Picture:
        """Raises UsageError."""
        if isinstance(given, ImageInput):
            return _checked(_data(given.url), os.path.basename(given.name or ""))
        path = os.path.realpath(os.path.join(cwd, os.path.expanduser(_usable(given.path))))
        return _checked(await asyncio.to_thread(self._read, path, terms), os.path.basename(path))

    def _read(self, path: str, terms: Terms) -> bytes:
        closed = [os.path.realpath(each) for each in closed_files(self._startup)]
        if inside_any(path, closed) or read_rules(self._startup)(terms.workspace, terms.deny)(path):
            raise UsageError(say("app.image_closed", path=path))
        try:
            # A pipe that has the name must not make anybody wait.
            descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY)
            with open(descriptor, "rb") as file:
                return file.read(IMAGE_BYTES_MAX + 1)
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            raise UsageError(say("app.image_unreadable", path=path, reason=reason)) from error


def _usable(path: str) -> str:
    if "\0" in path:
        raise UsageError(say("app.image_unreadable", path=repr(path), reason="NUL"))
    return path


def _data(url: str) -> bytes:
    if not url.startswith("data:"):
        raise UsageError(say("app.image_remote", url=f"{url[:80]}…" if len(url) > 80 else url))
    head, comma, body = url.partition(",")
    if not comma or not head.endswith(";base64"):
        raise UsageError(say("app.image_not_base64"))
    if len(body) > IMAGE_BYTES_MAX * 3 // 2:
        raise _too_large(say("app.image_given"), len(body) * 3 // 4)
    try:
        return b64decode(body, validate=True)
    except (NoBase64, ValueError) as error:
        raise UsageError(say("app.image_not_base64")) from error


def _checked(data: bytes, name: str) -> Picture:
    shown = name or say("app.image_given")
    if len(data) > IMAGE_BYTES_MAX:
        raise _too_large(shown, len(data))
    found = measure(data)
    if found is None:
        raise UsageError(say("app.image_no_image", name=shown))
    if max(found.width, found.height) > SIDE_PIXELS_MAX:
        raise UsageError(
            say("app.image_too_wide", name=shown, width=found.width, height=found.height, limit=SIDE_PIXELS_MAX)
        )
    return Picture(Image(found.media_type, b64encode(data).decode()), name)


def _too_large(name: str, length: int) -> UsageError:
    return UsageError(say("app.image_too_large", name=name, size=length, limit=IMAGE_BYTES_MAX))
