"""What of an answer is left that is too long to be read whole? Who it was for, and how it began.

A server that answers with fifty megabytes has its answer cut off while it is read. What was kept is no JSON any more,
so the request's number is looked for where servers write it, at the start or at the end, and the first text behind
`content` is what the model gets.
"""

import re

import msgspec

from daedal.mcp.definitions import TRUNCATED

TEXT_BYTES_MAX = 1_048_576
"""What a tool's result may be long."""

_ID = rb'"id"\s*:\s*(\d{1,18}|"[^"\\]{1,64}")'
_VERSION = rb'"jsonrpc"\s*:\s*"2\.0"'
_AT_START = re.compile(rb"\s*\{\s*(?:" + _VERSION + rb"\s*,\s*)?" + _ID + rb"\s*,")
_AT_END = re.compile(_ID + rb"\s*(?:,\s*" + _VERSION + rb"\s*)?\}\s*$")
_TEXT = re.compile(rb'"content"\s*:\s*\[\s*\{[^{}\[\]]*?"text"\s*:\s*"')
# Possessive: going back is never needed, and remembering how would cost a hundred times what is read.
_STRING = re.compile(rb'(?:[^"\\]++|\\u[0-9a-fA-F]{4}|\\[^u])*+')


def salvaged(head: bytes, tail: bytes, size: int) -> bytes | None:
    """A complete answer made of the beginning and the end of one; None where nobody knows whom it is for."""
    if b'"method"' in head[:200]:
        return None  # a request or a notification, which can do without an answer
    found = _AT_START.match(head) or _AT_END.search(tail)
    if found is None:
        return None
    text = f"{_beginning(head)}\n{TRUNCATED} the answer was {size} bytes long"
    content = msgspec.json.encode([{"type": "text", "text": text}])
    return b'{"jsonrpc":"2.0","id":' + found[1] + b',"result":{"content":' + content + b"}}"


def _beginning(head: bytes) -> str:
    start = _TEXT.search(head)
    raw = b"" if start is None else head[start.end() : start.end() + TEXT_BYTES_MAX - 200]
    whole = _STRING.match(raw.decode("utf-8", "ignore").encode())
    try:
        return msgspec.json.decode(b'"' + (whole[0] if whole else b"") + b'"', type=str)
    except msgspec.DecodeError:
        return ""
