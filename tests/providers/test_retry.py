"""When is a model asked again, and when not? Every trouble over a real socket, with its kind and its words."""

import asyncio
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from daedal.protocol.errors import ProviderError
from daedal.protocol.model import Retrying, Usage
from daedal.protocol.turns import ErrorKind
from daedal.providers import NetworkSettings
from tests.providers.asking import (
    IMPATIENT,
    KEY,
    ask,
    ask_at,
    chunks_of,
    every_wire,
    failure,
    opened,
    provider_at,
    retries,
    run,
    said,
    user,
    without_retries,
)
from tests.toolbox.model_server import (
    ModelServer,
    Reply,
    closed_port,
    drop,
    fail,
    overloaded,
    page,
    say,
    stall,
)
from tests.toolbox.requirement import requirement

TWO_ATTEMPTS = NetworkSettings(attempts_max=2, backoff_base_s=0.001)
OUT_OF_MONEY = '{"error":{"message":"You have run out","code":"insufficient_quota"}}'
NONSENSE = [
    "{not json",
    "[]",
    '{"type": 5}',
    '{"choices": 5, "type": "response.output_item.done"}',
    '{"type": "\udcff"}',
]

PASSING = [
    pytest.param(fail(408), id="408"),
    pytest.param(fail(409), id="409"),
    pytest.param(fail(429), id="429"),
    pytest.param(fail(500), id="500"),
    pytest.param(fail(502, body="<html>bad gateway</html>"), id="502"),
    pytest.param(fail(529), id="529"),
    pytest.param(drop(3), id="closed in the stream"),
    pytest.param(drop(3, how="reset"), id="reset in the stream"),
    pytest.param(drop(3, how="end"), id="ended politely, but early"),
    pytest.param(drop(0), id="closed after the head"),
    pytest.param(drop(-1), id="closed before the head"),
    pytest.param(drop(-1, how="reset"), id="reset before the head"),
    pytest.param(overloaded(3), id="overloaded in the stream"),
    pytest.param(drop(2, how="end").but(break_how="server_error"), id="error in the stream"),
]


@requirement("RX-18")
@every_wire
@pytest.mark.parametrize("trouble", PASSING)
def test_trouble_that_passes_is_retried_and_what_was_streamed_counts_for_nothing(wire: str, trouble: Reply):
    with ModelServer([trouble, say("At last.")]) as server:
        chunks = ask(wire, server)
        assert len(server.requests) == 2
        assert server.requests[0].body == server.requests[1].body
    assert without_retries(chunks) == said("At last.")
    (retry,) = retries(chunks)
    assert (retry.attempt, retry.attempts_max) == (1, 6)
    assert 0 <= retry.delay_s <= IMPATIENT.backoff_max_s


@requirement("RX-18")
@every_wire
def test_a_stream_may_break_twice_in_a_row(wire: str):
    with ModelServer([drop(4), drop(5), say("At last.")]) as server:
        chunks = ask(wire, server)
    assert [retry.attempt for retry in retries(chunks)] == [1, 2]
    assert without_retries(chunks) == said("At last.")


@requirement("RX-18")
def test_a_server_that_is_not_there_yet_is_waited_for():
    port = closed_port()

    async def scenario() -> None:
        provider = provider_at("anthropic", f"http://127.0.0.1:{port}")
        stream = opened(provider, user("Hi.")).stream()
        first = await anext(stream)
        assert isinstance(first, Retrying)
        assert first.reason == f"127.0.0.1:{port} refused the connection (is the server running?)"
        with ModelServer([say("Here.")], port=port):
            assert without_retries(await chunks_of(stream)) == said("Here.")
        await provider.close()

    run(scenario())


@requirement("RX-18")
def test_giving_up_says_how_often_it_was_tried():
    with ModelServer([fail(500, "out of order").but(times=0)]) as server:
        error = failure("chat", server, network=NetworkSettings(attempts_max=3, backoff_base_s=0.001))
        assert len(server.requests) == 3
    assert str(error) == "the server answered 500: out of order · gave up after 3 attempts · try again later"
    assert (error.kind, error.status) == (ErrorKind.SERVER, 500)


def test_a_refused_connection_is_given_up_as_a_network_error():
    with pytest.raises(ProviderError) as caught:
        ask_at(
            "chat", f"http://127.0.0.1:{closed_port()}", network=NetworkSettings(attempts_max=2, backoff_base_s=0.001)
        )
    assert caught.value.kind is ErrorKind.NETWORK


@pytest.mark.parametrize(
    "trouble",
    [
        fail(429, retry_after="0.02"),
        fail(429, retry_after_ms="20"),
        fail(503, retry_after="0.02"),
        fail(429, retry_after=format_datetime(datetime.now(UTC) + timedelta(days=-1), usegmt=True)),
        fail(429, retry_after="soon"),
        fail(429, retry_after="-5"),
        fail(429, retry_after="nan"),
    ],
)
def test_a_server_gets_the_time_it_asks_for(trouble: Reply):
    with ModelServer([trouble, say("Now.")]) as server:
        (retry,) = retries(ask("anthropic", server))
        waited = server.requests[1].at - server.requests[0].at
    asked = 0.02 if "0.02" in trouble.headers.values() or "20" in trouble.headers.values() else 0.0
    assert retry.delay_s >= asked
    assert waited >= asked


@pytest.mark.parametrize(
    "headers",
    [
        {"retry_after": "3600"},
        {"retry_after_ms": "3600000"},
        {"retry_after": "as a date"},
    ],
)
def test_a_server_that_asks_for_an_hour_is_given_up_at_once(headers: dict[str, str]):
    if headers.get("retry_after") == "as a date":
        headers = {"retry_after": format_datetime(datetime.now(UTC) + timedelta(hours=1), usegmt=True)}
    with ModelServer([fail(429, "quota", **headers)]) as server:
        error = failure("anthropic", server)
        assert len(server.requests) == 1
    assert error.kind is ErrorKind.RATE_LIMIT
    assert "the server asks for 3" in str(error)
    assert "try again then" in str(error)


LASTING = [
    (fail(400, "max_tokens is too large"), ErrorKind.INVALID_REQUEST, "400: max_tokens is too large"),
    (fail(413, "too long"), ErrorKind.INVALID_REQUEST, "413: too long"),
    (fail(422, body='{"detail":"wrong"}'), ErrorKind.INVALID_REQUEST, "422: wrong"),
    (fail(401, "invalid x-api-key"), ErrorKind.AUTHENTICATION, "check TEST_KEY, or run `daedal setup`"),
    (fail(403, "not for you"), ErrorKind.AUTHENTICATION, "check TEST_KEY"),
    (
        fail(404, "no such model"),
        ErrorKind.CONFIGURATION,
        "check the model (model-x) and the base URL (http://127.0.0.1",
    ),
    (fail(302, location="https://elsewhere.example/v1"), ErrorKind.CONFIGURATION, "https://elsewhere.example/v1"),
    (
        fail(429, body=OUT_OF_MONEY),
        ErrorKind.RATE_LIMIT,
        "billing",
    ),
    (page("<html><title>Log in</title></html>"), ErrorKind.CONFIGURATION, "text/html instead of a stream"),
    (page('{"error":"unknown model"}', "application/json"), ErrorKind.CONFIGURATION, "unknown model"),
    (page('{"answer":42}', "application/json"), ErrorKind.CONFIGURATION, "check the base URL"),
    (fail(400, body='{"error": {"message": null}}'), ErrorKind.INVALID_REQUEST, "400"),
    (fail(400, body="[]"), ErrorKind.INVALID_REQUEST, "400: []"),
    (fail(400, body='[{"error":{"message":"in a list"}}]'), ErrorKind.INVALID_REQUEST, "in a list"),
    (fail(400, body="<html><style>p {}</style><p>Bad  gate</p>"), ErrorKind.INVALID_REQUEST, "400: Bad gate"),
    (fail(400, body=""), ErrorKind.INVALID_REQUEST, "400"),
]


@every_wire
@pytest.mark.parametrize(("trouble", "kind", "words"), LASTING)
def test_trouble_that_lasts_is_said_at_once(wire: str, trouble: Reply, kind: ErrorKind, words: str):
    with ModelServer([trouble, say("never")]) as server:
        error = failure(wire, server)
        assert len(server.requests) == 1
    assert error.kind is kind
    assert error.status == trouble.status
    assert words in str(error)


def test_a_key_is_never_repeated_even_if_the_server_does():
    with ModelServer([fail(401, f"incorrect key provided: {KEY}")]) as server:
        message = str(failure("chat", server))
    assert KEY not in message
    assert "[REDACTED:TEST_KEY]" in message


def test_a_huge_error_is_cut():
    with ModelServer([fail(400, "x" * 5_000_000)]) as server:
        assert len(str(failure("chat", server))) < 1000


def test_without_a_key_a_refusal_says_how_to_name_one():
    with ModelServer([fail(401)]) as server:
        assert "api_key_env" in str(failure("chat", server, api_key_env=None))


@every_wire
def test_an_error_event_that_will_not_pass_is_not_retried(wire: str):
    error = {"type": "invalid_request_error", "code": "invalid_value", "message": "too long"}
    events = {
        "anthropic": {"type": "error", "error": error},
        "chat": {"error": error},
        "responses": {"type": "response.failed", "response": {"error": error}},
    }
    with ModelServer([stream_of(events[wire])]) as server:
        caught = failure(wire, server)
    assert caught.kind is ErrorKind.INVALID_REQUEST
    assert "too long" in str(caught)


def stream_of(*events: object) -> Reply:
    """A stream written by hand."""
    import json

    text = "".join(f"data: {event if isinstance(event, str) else json.dumps(event)}\n\n" for event in events)
    return page(text, "text/event-stream")


@every_wire
@pytest.mark.parametrize("nonsense", NONSENSE)
def test_a_stream_of_nonsense_is_retried_and_then_given_up(wire: str, nonsense: str):
    with ModelServer([stream_of(nonsense).but(times=0)]) as server:
        error = failure(wire, server, network=TWO_ATTEMPTS)
        assert len(server.requests) == 2
    assert error.kind in (ErrorKind.SERVER, ErrorKind.NETWORK)


@every_wire
def test_an_answer_without_any_event_is_a_broken_stream(wire: str):
    with ModelServer([page("", "text/event-stream").but(times=0)]) as server:
        error = failure(wire, server, network=TWO_ATTEMPTS)
    assert str(error).startswith("the reply broke off before its end")


@every_wire
@pytest.mark.parametrize("after", [-1, 0, 3])
def test_silence_counts_as_a_broken_stream(wire: str, after: int):
    patience = NetworkSettings(idle_timeout_s=0.2, backoff_base_s=0.001)
    with ModelServer([stall(after), say("Awake.")], after="repeat") as server:
        chunks = ask(wire, server, network=patience)
        server.wait_for_hang_ups(1)
    assert without_retries(chunks) == said("Awake.")
    assert "has been silent for 0.2 s" in retries(chunks)[0].reason


def test_a_chat_reply_that_is_whole_does_not_wait_for_its_bookkeeping():
    with ModelServer([stall(after=3, reply=say("Whole."))], after="repeat") as server:
        chunks = ask("chat", server, network=NetworkSettings(idle_timeout_s=0.5, backoff_base_s=0.001))
    assert without_retries(chunks) == said("Whole.", Usage())


@every_wire
def test_a_connection_is_used_again(wire: str):
    async def scenario(server: ModelServer) -> None:
        provider = provider_at(wire, server.url)
        for _ in range(5):
            await chunks_of(opened(provider, user("Hi.")).stream())
        await provider.close()

    with ModelServer([say("ok")], after="repeat") as server:
        run(scenario(server))
        assert server.connections == 1


def test_a_connection_that_the_server_closed_meanwhile_is_no_failed_attempt():
    async def scenario() -> None:
        first = ModelServer([say("One.")])
        provider = provider_at("chat", first.url)
        assert await chunks_of(opened(provider, user("Hi.")).stream()) == said("One.")
        await asyncio.to_thread(first.close)
        with ModelServer([say("Two.")], port=first.port):
            assert await chunks_of(opened(provider, user("Hi.")).stream()) == said("Two.")
        await provider.close()

    run(scenario())


def test_many_dialogues_share_one_provider():
    async def scenario(server: ModelServer) -> None:
        provider = provider_at("anthropic", server.url)
        streams = [chunks_of(opened(provider, user("Hi.")).stream()) for _ in range(40)]
        assert await asyncio.gather(*streams) == [said("ok")] * 40
        await provider.close()

    with ModelServer([say("ok")], after="repeat") as server:
        run(scenario(server))
