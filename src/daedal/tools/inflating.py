"""What does a compressed body say? Unpacked piece by piece, never more of it than there is room for."""

import zlib

from daedal.tools.errors import Refused

ACCEPTED = "gzip, deflate"


class Inflater:
    def __init__(self, encoding: str) -> None:
        """`encoding` is what Content-Encoding says. Raises Refused where nobody asked for that."""
        name = encoding.strip().lower()
        self._is_plain = name in ("", "identity")
        self._may_be_raw = name == "deflate"
        self._unpacking = zlib.decompressobj(31 if name in ("gzip", "x-gzip") else 15)
        if not self._is_plain and name not in ("gzip", "x-gzip", "deflate"):
            raise Refused(f"The server sent its answer packed as {encoding[:40]!r}, which was not asked for.")

    def take(self, piece: bytes, room: int) -> bytes:
        """At most `room` bytes, which is at least one; the caller asks for no more after that. Raises Refused."""
        if self._is_plain:
            return piece[:room]
        try:
            unpacked = self._unpack(piece, room)
        except zlib.error as error:
            raise Refused("The server's answer is packed, and damaged.") from error
        self._may_be_raw = False
        return unpacked

    def _unpack(self, piece: bytes, room: int) -> bytes:
        try:
            return self._unpacking.decompress(piece, room)
        except zlib.error:
            if not self._may_be_raw:
                raise
            # Some servers leave out the wrapping that "deflate" should have.
            self._unpacking = zlib.decompressobj(-15)
            return self._unpacking.decompress(piece, room)
