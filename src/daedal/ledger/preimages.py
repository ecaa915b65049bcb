"""Where are files kept as they were before a tool changed them? As blobs in a folder beside the database.

A blob's name is made of hashes of the session's and the call's id: both come from outside, and neither may choose a
path. So the name is known before the call runs, and a crash between effect and record cannot lose it. The folder is
private, and a blob is whole or absent.
"""

import asyncio
import base64
import os
from collections.abc import Iterator
from itertools import count
from typing import Any

import msgspec

from daedal.ledger.errors import translated_os
from daedal.protocol.catalogue import say
from daedal.protocol.errors import LedgerError
from daedal.protocol.seams import PreImage

_INLINE_BYTES_MAX = 262_144
"""Up to here writing takes about as long as a commit; more than that goes to a thread."""


class PreImageFolder:
    """The kept files of one ledger."""

    def __init__(self, database_path: str) -> None:
        self.folder = database_path + "-files"

    async def put(self, session_id: str, tool_use_id: str, image: PreImage) -> str:
        """Keeps the image durably and returns the blob's name."""
        if image.content is not None and len(image.content) > _INLINE_BYTES_MAX:
            return await asyncio.to_thread(self.put_now, session_id, tool_use_id, image)
        return self.put_now(session_id, tool_use_id, image)

    def put_now(self, session_id: str, tool_use_id: str, image: PreImage) -> str:
        folder, call = _hashed(session_id), _hashed(tool_use_id)
        try:
            self._make(folder)
            # The session's lease keeps everybody else out, so the next number is ours.
            name = f"{folder}/{call}-{len(list(self._names(folder, call)))}"
            self._write(os.path.join(self.folder, name), image)
        except OSError as error:
            raise translated_os(error, self.folder) from error
        return name

    async def find(self, session_id: str, tool_use_id: str) -> list[tuple[str, PreImage]]:
        """What a call kept, in the order in which it did."""
        folder, call = _hashed(session_id), _hashed(tool_use_id)
        try:
            return [(name, self._read(name)) for name in self._names(folder, call)]
        except OSError as error:
            raise translated_os(error, self.folder) from error

    async def read(self, name: str) -> PreImage | None:
        """A blob by its name; None where it is not there any more."""
        import re

        if not re.fullmatch(r"[0-9a-f]{64}/[0-9a-f]{64}-[0-9]{1,9}", name):
            return None  # A record may come from anywhere; it chooses no path.
        try:
            return await asyncio.to_thread(self._read, name)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise translated_os(error, self.folder) from error

    def _names(self, folder: str, call: str) -> Iterator[str]:
        """A call's blobs by counting, not by listing: a session's folder grows with every change it makes."""
        for number in count():
            name = f"{folder}/{call}-{number}"
            if not os.path.exists(os.path.join(self.folder, name)):
                return
            yield name

    def _make(self, folder: str) -> None:
        """The session's folder, durably: a blob in a folder that a power cut takes away is no blob."""
        path = os.path.join(self.folder, folder)
        if os.path.isdir(path):
            return
        for name in (self.folder, path):
            try:
                os.mkdir(name, 0o700)
            except FileExistsError:
                continue
            _sync(os.path.dirname(name))

    def _write(self, path: str, image: PreImage) -> None:
        """Under another name first, so that a blob is there whole or not at all."""
        folder = os.path.dirname(path)
        draft = os.path.join(folder, f"draft-{os.getpid()}-{os.urandom(4).hex()}")
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(_header(image))
                file.write(image.content or b"")
                file.flush()
                os.fsync(descriptor)
            os.rename(draft, path)
        except BaseException:
            os.unlink(draft)
            raise
        _sync(folder)

    def _read(self, name: str) -> PreImage:
        with open(os.path.join(self.folder, name), "rb") as file:
            header, _, content = file.read().partition(b"\n")
        try:
            words: dict[str, Any] = msgspec.json.decode(header, type=dict[str, Any])
            raw = words.get("path_bytes")
            path = words["path"] if raw is None else os.fsdecode(base64.b64decode(raw))
            return PreImage(path=path, content=content if words["existed"] else None, mode=words["mode"])
        except (ValueError, TypeError, KeyError) as error:
            raise LedgerError(say("ledger.preimage_damaged", name=name, path=self.folder)) from error


def _header(image: PreImage) -> bytes:
    words: dict[str, Any] = {"path": image.path, "existed": image.content is not None, "mode": image.mode}
    try:
        return msgspec.json.encode(words) + b"\n"
    except UnicodeEncodeError:
        # A file name that is no UTF-8: JSON cannot hold it, and it must come back byte by byte.
        raw = os.fsencode(image.path)
        words |= {"path": raw.decode(errors="replace"), "path_bytes": base64.b64encode(raw).decode()}
        return msgspec.json.encode(words) + b"\n"


def _hashed(identifier: str) -> str:
    from hashlib import sha256

    return sha256(identifier.encode("utf-8", "surrogatepass")).hexdigest()


def _sync(folder: str) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
