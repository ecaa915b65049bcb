"""Does framing find the end of every response, wherever the network cuts it, and refuse what is not HTTP?"""

import asyncio
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daedal.providers.connection import Connection
from daedal.providers.failures import Failure
from daedal.providers.http1 import Body, Head, read_head


def read(pieces: list[bytes], *, ended: bool = True) -> tuple[Head, bytes]:
    """A whole response, fed to a connection piece by piece while it is being read."""

    async def scenario() -> tuple[Head, bytes]:
        connection = Connection("the test")
        feeding = asyncio.create_task(feed(connection, pieces, ended))
        try:
            head = await read_head(connection, 5)
            body = Body(connection, head)
            read = bytearray()
            while data := await body.read(5):
                read += data
            return head, bytes(read)
        finally:
            feeding.cancel()

    return asyncio.run(scenario())


async def feed(connection: Connection, pieces: list[bytes], ended: bool) -> None:
    for piece in pieces:
        connection.data_received(piece)
        await asyncio.sleep(0)
        await asyncio.sleep(0)
    if ended:
        connection.eof_received()


def cut_at(data: bytes, cuts: list[int]) -> list[bytes]:
    places = sorted({0, len(data), *(cut % (len(data) + 1) for cut in cuts)})
    return [data[start:end] for start, end in pairwise(places)]


def chunked(parts: list[bytes], extension: bytes, trailer: bytes) -> bytes:
    framed = b"".join(b"%x%b\r\n%b\r\n" % (len(part), extension, part) for part in parts if part)
    return b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + framed + b"0\r\n" + trailer + b"\r\n"


@given(
    st.lists(st.binary(max_size=40), max_size=6),
    st.sampled_from([b"", b";name=value"]),
    st.sampled_from([b"", b"x-sum: 1\r\n"]),
    st.lists(st.integers(min_value=0), max_size=12),
)
def test_a_chunked_body_is_whole_wherever_it_is_cut(
    parts: list[bytes], extension: bytes, trailer: bytes, cuts: list[int]
):
    head, body = read(cut_at(chunked(parts, extension, trailer), cuts), ended=False)
    assert (head.status, body) == (200, b"".join(parts))


@given(st.binary(max_size=60), st.lists(st.integers(min_value=0), max_size=6))
def test_a_body_of_known_length_is_whole_wherever_it_is_cut(content: bytes, cuts: list[int]):
    response = b"HTTP/1.1 200 OK\r\ncontent-length: %d\r\n\r\n%b" % (len(content), content)
    assert read(cut_at(response, cuts), ended=False)[1] == content


def test_a_body_without_length_ends_with_the_connection():
    head, body = read([b"HTTP/1.0 200 OK\r\n\r\nall of ", b"it"])
    assert (body, head.keep_alive) == (b"all of it", False)


def test_interim_heads_are_passed_over():
    early = b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n"
    head, _ = read([early + b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"])
    assert head == Head(404, {"content-length": "0"}, keep_alive=True)


@pytest.mark.parametrize("status", [204, 304])
def test_statuses_without_a_body_have_none(status: int):
    assert read([b"HTTP/1.1 %d X\r\n\r\n" % status], ended=False)[1] == b""


BROKEN: list[tuple[bytes, dict[str, Any]]] = [
    (b"", {"retry": True, "lost": True}),
    (b"HTTP/1.1 200", {"retry": True, "lost": True}),
    (b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabc", {"retry": True}),
    (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabc", {"retry": True}),
    (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n", {"retry": True}),
    (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n", {"retry": False}),
    (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-5\r\n", {"retry": False}),
    (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabcdef\r\n", {"retry": False}),
    (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + b"1" * 20_000, {"retry": False}),
    (b"HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n", {"retry": False}),
    (b"HTTP/2 200\r\n\r\n", {"retry": False}),
    (b"HTTP/1.1 OK\r\n\r\n", {"retry": False}),
    (b"SSH-2.0-OpenSSH\r\n", {"retry": False}),
    (b"HTTP/1.1 200 OK\r\nx: " + b"y" * 70_000, {"retry": False}),
]


@pytest.mark.parametrize(("response", "expected"), BROKEN)
def test_what_breaks_off_is_worth_a_retry_and_what_is_not_http_is_not(response: bytes, expected: dict[str, Any]):
    with pytest.raises(Failure) as caught:
        read([response])
    assert {name: getattr(caught.value, name) for name in expected} == expected


@given(st.lists(st.binary(max_size=50), max_size=5))
def test_no_bytes_at_all_end_in_anything_but_an_answer_or_a_failure(pieces: list[bytes]):
    try:
        read([b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n", *pieces])
    except Failure:
        pass
