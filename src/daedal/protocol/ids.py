"""How is a thread, turn or item named? UUIDv7: unique without asking anyone, and sortable by time."""

import os
import time


def new_id() -> str:
    """A UUIDv7 string, as the Codex app-server names things. The standard library has none before 3.14."""
    raw = bytearray(int(time.time() * 1000).to_bytes(6) + os.urandom(10))
    raw[6] = 0x70 | (raw[6] & 0x0F)
    raw[8] = 0x80 | (raw[8] & 0x3F)
    text = raw.hex()
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"
