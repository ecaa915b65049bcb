"""Is what a server sends cut where it must be, and nowhere else?"""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daedal.mcp.lines import Lines
from daedal.mcp.results import outcome_of
from daedal.mcp.salvage import salvaged
from tests.toolbox.requirement import requirement


@given(st.lists(st.binary(max_size=40)), st.integers(1, 30))
def test_lines_are_the_same_however_they_are_cut_into_pieces(lines: list[bytes], size: int):
    whole = [line.replace(b"\n", b"") for line in lines]
    stream = b"".join(line + b"\n" for line in whole)
    reader = Lines()
    found = [line for start in range(0, len(stream), size) for line in reader.feed(stream[start : start + size])]
    assert found == whole


@requirement("SD-16")
@pytest.mark.parametrize("is_first", [True, False])
@given(text=st.text(), size=st.integers(1, 500))
def test_a_line_that_is_too_long_becomes_an_answer_to_the_same_request(is_first: bool, text: str, size: int):
    result = {"content": [{"type": "text", "text": text + "x" * 3_000}]}
    ends = {"jsonrpc": "2.0", "id": 17}
    line = json.dumps({**ends, "result": result} if is_first else {"result": result, **ends}).encode()
    reader = Lines(line_bytes_max=1_000)
    stream = b"before\n" + line + b"\nafter\n"
    found = [one for start in range(0, len(stream), size) for one in reader.feed(stream[start : start + size])]
    assert (found[0], found[2]) == (b"before", b"after")
    answer = json.loads(found[1])
    assert answer["id"] == 17
    shown = answer["result"]["content"][0]["text"]
    kept = shown.partition("\n[SDLC_TRUNCATED]")[0].encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    assert "[SDLC_TRUNCATED]" in shown
    assert (text + "x" * 3_000).startswith(kept[: len(text)]) or not text.isprintable()


@given(st.binary(max_size=300), st.binary(max_size=300))
def test_salvaging_never_fails_and_what_it_gives_is_json(head: bytes, tail: bytes):
    rest = salvaged(head, tail, 5)
    assert rest is None or json.loads(rest)["jsonrpc"] == "2.0"


def test_a_long_question_of_the_server_is_not_taken_for_an_answer():
    line = b'{"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{"text":"' + b"x" * 5000
    assert list(Lines(line_bytes_max=1000).feed(line + b'"}}\n')) == []


BLOCKS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda below: (
        st.lists(below, max_size=3)
        | st.dictionaries(st.sampled_from(["type", "text", "data", "mimeType", "resource", "uri", "blob"]), below)
    ),
    max_leaves=10,
)


@given(st.dictionaries(st.sampled_from(["content", "structuredContent", "isError"]), BLOCKS))
def test_whatever_an_answer_holds_it_becomes_an_outcome(result):
    outcome = outcome_of(result)
    assert outcome.content
    outcome.content.encode()


def test_what_cannot_be_shown_is_described_and_what_is_embedded_is_read():
    outcome = outcome_of(
        {
            "content": [
                {"type": "text", "text": "one"},
                {"type": "audio", "data": "AAAA", "mimeType": "audio/wav"},
                {"type": "image", "data": "AAAA", "mimeType": "image/tiff"},
                {"type": "image", "data": "not base64!", "mimeType": "image/png"},
                {"type": "resource", "resource": {"uri": "a://b", "text": "inside"}},
                {"type": "resource_link", "uri": "a://c", "name": "c"},
            ]
        }
    )
    assert outcome.content.splitlines() == [
        "one",
        "[audio of type audio/wav, 3 bytes, cannot be shown]",
        "[image of type image/tiff, 3 bytes, cannot be shown]",
        "[image of type image/png, 0 bytes, cannot be shown]",
        '<resource uri="a://b">',
        "inside",
        "</resource>",
        "[resource c: a://c]",
    ]
    assert outcome.images == []


@requirement("SD-16")
def test_a_long_text_is_capped_and_says_so():
    outcome = outcome_of({"content": [{"type": "text", "text": "ä" * 2_000_000}]})
    assert len(outcome.content.encode()) <= 1_048_576
    assert outcome.content.endswith("ä\n[SDLC_TRUNCATED]")


def test_structured_content_counts_where_there_is_no_text():
    assert outcome_of({"content": [], "structuredContent": {"a": 1}}).content == '{"a":1}'
    assert outcome_of({"content": [{"type": "text", "text": "x"}], "structuredContent": {"a": 1}}).content == "x"
