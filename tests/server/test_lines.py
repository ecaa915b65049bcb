"""What becomes of what a stranger sends? An envelope, or something that says what is wrong with it."""

import asyncio
import json

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from daedal.client import LineTransport, line_of, read_line
from daedal.protocol.wire import Malformed, Notification, Request, Response

SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)
NAMES = st.text(max_size=6)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=8,
)
KEYS = st.sampled_from(
    ["id", "method", "params", "result", "error", "jsonrpc", "sequence", "emittedAtMs", "code", "message"]
)


@given(st.binary(max_size=200))
def test_no_bytes_are_too_strange(line: bytes):
    assert isinstance(read_line(line), Request | Response | Notification | Malformed)


@given(st.dictionaries(KEYS, VALUES, max_size=6))
def test_no_object_is_too_strange_and_what_is_malformed_can_be_answered(told: dict[str, object]):
    envelope = read_line(json.dumps(told))
    assert isinstance(envelope, Request | Response | Notification | Malformed)
    if isinstance(envelope, Malformed):
        answer = line_of(Response(id=envelope.id, error=envelope.error))
        assert msgspec.json.decode(answer)["error"]["code"] in (-32600, -32700)


@given(st.text(), st.integers(min_value=-(2**63), max_value=2**63 - 1) | st.text())
def test_what_is_written_is_read_back_the_same(text: str, number: int | str):
    request = Request(id=number, method="m", params={"text": text})
    assert read_line(line_of(request)) == request


class Pieces:
    """Bytes as they happen to arrive; and nowhere to write to."""

    def __init__(self, data: bytes, size: int) -> None:
        self._pieces = [data[at : at + size] for at in range(0, len(data), size)]

    async def read(self, n: int) -> bytes:
        return self._pieces.pop(0) if self._pieces else b""

    def write(self, data: bytes) -> None:
        pass

    async def drain(self) -> None:
        pass

    async def close(self) -> None:
        pass

    def abort(self) -> None:
        pass


@given(st.integers(min_value=1, max_value=40))
def test_it_does_not_matter_how_the_bytes_are_cut(size: int):
    lines = b'{"id":1,"method":"a"}\n\n  \n{"id":2,"method":"b"}\r\nnonsense\n{"method":"c"}'

    async def heard() -> list[object]:
        pieces = Pieces(lines, size)
        transport = LineTransport(pieces, pieces)
        found: list[object] = []
        while (envelope := await transport.receive()) is not None:
            found.append(getattr(envelope, "method", None))
        transport.close()
        await transport.finished()
        return found

    assert asyncio.run(heard()) == ["a", "b", None, "c"]
