"""What comes out of a model's reply? The same chunks on every wire, however the events were cut."""

import pytest

from daedal.protocol.model import (
    BlockKept,
    CallRequested,
    Chunk,
    Finished,
    ReasoningDelta,
    StopReason,
    TextDelta,
    Usage,
)
from tests.providers.asking import ask, every_wire, plain, said
from tests.toolbox.model_server import (
    Call,
    ModelServer,
    Reply,
    Tokens,
    call,
    calls,
    cut_off,
    empty,
    hidden_thinking,
    huge,
    malformed,
    refuse,
    say,
    think,
)


def reply_to(wire: str, reply: Reply) -> list[Chunk]:
    with ModelServer([reply]) as server:
        return ask(wire, server)


def texts(chunks: list[Chunk]) -> str:
    return "".join(chunk.text for chunk in chunks if isinstance(chunk, TextDelta))


@every_wire
def test_text_that_arrives_in_one_read_is_one_delta(wire: str):
    assert reply_to(wire, say("Hello, wörld ✓ 🎉", chunks=9)) == said("Hello, wörld ✓ 🎉")


@every_wire
def test_text_that_arrives_bit_by_bit_is_whole_in_the_end(wire: str):
    chunks = reply_to(wire, say("one two three four", chunks=18).but(separately=True))
    assert texts(chunks) == "one two three four"
    assert chunks[-1] == Finished(StopReason.END_TURN, Usage(input_tokens=11, output_tokens=7))


@every_wire
def test_several_calls_keep_their_order_and_are_whole(wire: str):
    reply = say("Two things.") + calls(Call("Bash", {"command": "ls -l"}, pieces=5), Call("Bash", {"command": "pwd"}))
    assert reply_to(wire, reply) == [
        TextDelta("Two things."),
        CallRequested("toolu_0000_1", "Bash", '{"command":"ls -l"}'),
        CallRequested("toolu_0000_2", "Bash", '{"command":"pwd"}'),
        Finished(StopReason.TOOL_USE, Usage(input_tokens=11, output_tokens=7)),
    ]


@every_wire
def test_malformed_arguments_are_passed_on_as_the_model_wrote_them(wire: str):
    chunks = reply_to(wire, malformed("Bash", '{"command": "ls'))
    assert chunks[0] == CallRequested("toolu_0000_0", "Bash", '{"command": "ls')


@every_wire
def test_a_call_without_arguments_has_an_empty_object(wire: str):
    assert reply_to(wire, calls(Call("Now", arguments="")))[0] == CallRequested("toolu_0000_0", "Now", "{}")


@every_wire
def test_usage_tells_cached_tokens_apart(wire: str):
    reply = say("Hi.").but(usage=Tokens(input=100, output=20, cache_read=3000, cache_write=0, reasoning=0))
    usage = Usage(input_tokens=100, output_tokens=20, cache_read_tokens=3000)
    assert reply_to(wire, reply) == said("Hi.", usage)


def test_anthropic_counts_tokens_that_were_written_to_the_cache():
    reply = say("Hi.").but(usage=Tokens(input=1, output=2, cache_read=3, cache_write=4))
    usage = Usage(input_tokens=1, output_tokens=2, cache_read_tokens=3, cache_write_tokens=4)
    assert reply_to("anthropic", reply) == said("Hi.", usage)


@pytest.mark.parametrize("wire", ["chat", "responses"])
def test_openai_tells_how_much_was_reasoning(wire: str):
    reply = say("Hi.").but(usage=Tokens(input=1, output=20, reasoning=15))
    assert reply_to(wire, reply) == said("Hi.", Usage(input_tokens=1, output_tokens=20, reasoning_tokens=15))


@every_wire
def test_missing_usage_counts_as_nothing(wire: str):
    assert reply_to(wire, say("Hi.").but(usage=None)) == said("Hi.", Usage())


@every_wire
@pytest.mark.parametrize(
    ("reply", "stop"),
    [
        (cut_off("half"), StopReason.MAX_TOKENS),
        (refuse("no"), StopReason.REFUSAL),
        (say("whole"), StopReason.END_TURN),
        (call("Bash", command="ls"), StopReason.TOOL_USE),
        (call("Bash", command="ls").but(stop="max_tokens"), StopReason.MAX_TOKENS),
    ],
)
def test_every_wire_says_why_it_stopped(wire: str, reply: Reply, stop: StopReason):
    finished = reply_to(wire, reply)[-1]
    assert isinstance(finished, Finished)
    assert finished.stop is stop


@every_wire
def test_a_reply_that_says_nothing_just_finishes(wire: str):
    usage = Usage(input_tokens=11, output_tokens=7)
    assert reply_to(wire, empty()) == [Finished(StopReason.END_TURN, usage)]


@every_wire
def test_events_that_nobody_knows_are_passed_over(wire: str):
    assert reply_to(wire, say("Hi.").but(quirks=["unknown_events"])) == said("Hi.")


@every_wire
def test_ten_megabytes_of_text_arrive_whole(wire: str):
    assert len(texts(reply_to(wire, huge(10_000_000)))) >= 10_000_000


def test_signed_thinking_is_kept_with_its_place():
    reply = (
        think("Hm, let me see.", "sig-1", chunks=3) + say("Now.") + think("More.", "sig-2") + call("Bash", command="x")
    )
    chunks = reply_to("anthropic", reply)
    assert [chunk for chunk in chunks if not isinstance(chunk, BlockKept)] == [
        ReasoningDelta("Hm, let me see."),
        TextDelta("Now."),
        ReasoningDelta("More."),
        CallRequested("toolu_0000_3", "Bash", '{"command":"x"}'),
        Finished(StopReason.TOOL_USE, Usage(input_tokens=11, output_tokens=7)),
    ]
    assert [plain(chunk.kept) for chunk in chunks if isinstance(chunk, BlockKept)] == [
        (0, "anthropic", {"type": "thinking", "thinking": "Hm, let me see.", "signature": "sig-1"}),
        (2, "anthropic", {"type": "thinking", "thinking": "More.", "signature": "sig-2"}),
    ]


def test_redacted_thinking_is_kept_though_nobody_can_read_it():
    chunks = reply_to("anthropic", hidden_thinking("b3BhcXVl") + say("Hi."))
    assert isinstance(chunks[0], BlockKept)
    assert plain(chunks[0].kept) == (0, "anthropic", {"type": "redacted_thinking", "data": "b3BhcXVl"})
    assert chunks[1:] == said("Hi.")


def test_encrypted_reasoning_is_kept_as_the_vendor_sent_it():
    chunks = reply_to("responses", think("A summary.", "secret-state") + call("Bash", command="x"))
    assert chunks[0] == ReasoningDelta("A summary.")
    assert isinstance(chunks[1], BlockKept)
    item = {
        "id": "rs_0000_0",
        "type": "reasoning",
        "summary": [{"type": "summary_text", "text": "A summary."}],
        "encrypted_content": "secret-state",
    }
    assert plain(chunks[1].kept) == (0, "responses", item)
    assert chunks[2] == CallRequested("toolu_0000_1", "Bash", '{"command":"x"}')


def test_chat_reasoning_is_shown_but_not_kept():
    assert reply_to("chat", think("Hm.") + say("Hi.")) == [ReasoningDelta("Hm."), *said("Hi.")]


CHAT_HABITS = [
    pytest.param(["no_index"], id="whole calls without index"),
    pytest.param(["stop_with_calls"], id="stop in spite of calls"),
    pytest.param(["null_content"], id="null content"),
    pytest.param(["no_done"], id="no [DONE]"),
    pytest.param(["no_index", "stop_with_calls", "null_content", "no_done"], id="all of it"),
]


@pytest.mark.parametrize("quirks", CHAT_HABITS)
def test_less_exact_chat_servers_are_understood(quirks: list[str]):
    reply = calls(("Bash", {"command": "ls"}), ("Bash", {"command": "pwd"})).but(quirks=quirks, usage=None)
    assert reply_to("chat", reply) == [
        CallRequested("toolu_0000_0", "Bash", '{"command":"ls"}'),
        CallRequested("toolu_0000_1", "Bash", '{"command":"pwd"}'),
        Finished(StopReason.TOOL_USE, Usage()),
    ]


@pytest.mark.parametrize("quirks", [[], ["no_index"]])
def test_missing_call_ids_are_left_empty(quirks: list[str]):
    reply = calls(Call("Bash", {"command": "ls"}, id=""), Call("Bash", {"command": "pwd"}, id="")).but(quirks=quirks)
    assert reply_to("chat", reply)[:2] == [
        CallRequested("", "Bash", '{"command":"ls"}'),
        CallRequested("", "Bash", '{"command":"pwd"}'),
    ]
