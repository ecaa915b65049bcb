"""Are events whole, wherever the network cuts them and however a server ends its lines?"""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daedal.providers import sse

payloads = st.lists(
    st.text(st.characters(exclude_characters="\r\n", exclude_categories=["Cs"]), min_size=1).filter(str.strip),
    max_size=8,
)
line_ends = st.sampled_from(["\n", "\r\n", "\r"])
noise = st.sampled_from(["", "event: some{0}", ": a comment{0}", "id: 7{0}retry: 5{0}", ": keep-alive{0}{0}", "{0}"])


def cut_at(data: bytes, cuts: list[int]) -> list[bytes]:
    places = sorted({0, len(data), *(cut % (len(data) + 1) for cut in cuts)})
    return [data[start:end] for start, end in pairwise(places)]


def split(pieces: list[bytes]) -> list[bytes]:
    splitter = sse.EventSplitter()
    return [payload for piece in pieces for payload in splitter.feed(piece)] + splitter.end()


@given(payloads, line_ends, noise, st.lists(st.integers(min_value=0)))
def test_cuts_at_any_byte_change_nothing(texts: list[str], end: str, before: str, cuts: list[int]):
    stream = "".join(f"{before.format(end)}data: {text}{end}{end}" for text in texts).encode()
    assert split(cut_at(stream, cuts)) == [payload for text in texts if (payload := text.encode().strip())]


@given(st.lists(st.binary(max_size=30), max_size=10))
def test_no_bytes_at_all_can_break_it(pieces: list[bytes]):
    assert all(split(pieces))


def test_lines_of_data_are_joined():
    assert split([b"event: x\ndata: one\nid: 4\ndata:two\n\n"]) == [b"one\ntwo"]


def test_an_event_that_nobody_ended_comes_out_at_the_end():
    assert split([b"data: one\n\ndata: [DONE]\n"]) == [b"one", b"[DONE]"]


def test_events_without_data_are_left_out():
    assert split([b": hello\n\nevent: ping\n\ndata:\n\nmetadata: x\n\ndata: y\n\n"]) == [b"y"]


def test_an_event_without_end_is_not_collected_for_ever():
    megabyte = b"x" * 1_000_000
    with pytest.raises(sse.EventTooLong):
        split([megabyte] * (sse.EVENT_BYTES_MAX // len(megabyte) + 2))
