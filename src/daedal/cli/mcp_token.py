"""Which token does a borrower need? The one in a file that only its owner can read, or a new one."""

import os
import stat

from daedal.protocol.catalogue import say
from daedal.protocol.errors import UsageError

LENGTH_MIN = 16
BYTES_MAX = 4_096


def token_for(file: str | None) -> tuple[str, bool]:
    """The token, and whether it was made just now. A file that is not there yet gets a new one."""
    from secrets import token_urlsafe

    if file is None:
        return token_urlsafe(32), True
    try:
        try:
            with open(os.open(file, os.O_RDONLY), "rb") as stream:
                return _read(file, stream.read(BYTES_MAX), os.fstat(stream.fileno())), False
        except FileNotFoundError:
            token = token_urlsafe(32)
            with open(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as stream:
                stream.write(token + "\n")
            return token, True
    except OSError as error:
        raise UsageError(say("cli.mcp.serve_token_lost", file=file, error=error.strerror)) from error


def _read(file: str, raw: bytes, status: os.stat_result) -> str:
    if stat.S_IMODE(status.st_mode) & 0o077:
        raise UsageError(say("cli.mcp.serve_token_open", file=file))
    token = raw.decode("ascii", "replace").strip()
    if len(token) < LENGTH_MIN or not all("!" <= sign <= "~" for sign in token):
        raise UsageError(say("cli.mcp.serve_token_bad", file=file, length=LENGTH_MIN))
    return token
