"""Is a prompt that does not fit told apart from other mistakes? However it is said, before and inside a stream."""

import pytest

from daedal.protocol.turns import ErrorKind
from daedal.providers.failures import VendorError, from_status, from_stream, vendor_error
from tests.toolbox.requirement import requirement

BODIES = [
    b'{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 215000 tokens > 200000"}}',
    b'{"type":"error","error":{"type":"request_too_large","message":"Request exceeds the maximum size"}}',
    b'{"error":{"message":"This model\'s maximum context length is 128000 tokens.","code":"context_length_exceeded"}}',
    b'{"error":{"code":400,"message":"exceeds the available context size","type":"exceed_context_size_error"}}',
    b'{"error":"The number of tokens to keep from the initial prompt is greater than the context length."}',
    b'{"error":{"message":"Please reduce the length of the messages or completion."}}',
    b'{"error":{"code":400,"message":"The input token count (9) exceeds the maximum number of tokens allowed (8)."}}',
    b'{"object":"error","message":"Prompt contains 9 tokens, too large for model with 8 maximum context length"}',
]


@requirement("RX-08")
@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("status", [400, 413])
def test_a_prompt_that_does_not_fit_is_known_as_such_and_not_tried_again(body: bytes, status: int):
    failure = from_status(status, {}, vendor_error(body), where="here", variable="KEY", model="m")
    assert (failure.kind, failure.retry) == (ErrorKind.CONTEXT_WINDOW, False)
    assert "context_window" in failure.advice


def test_it_is_known_inside_a_stream_too():
    error = VendorError("Your input exceeds the context window of this model.", "context_length_exceeded")
    assert from_stream(error, retried=frozenset()).kind is ErrorKind.CONTEXT_WINDOW


@pytest.mark.parametrize("message", ["max_tokens: must be positive", "messages: at least one", "context is required"])
def test_other_mistakes_are_not(message: str):
    failure = from_status(400, {}, VendorError(message), where="here", variable="KEY", model="m")
    assert failure.kind is ErrorKind.INVALID_REQUEST


@pytest.mark.parametrize("status", [401, 404, 429, 503])
def test_other_statuses_mean_what_they_always_do(status: int):
    failure = from_status(status, {}, VendorError("prompt is too long"), where="here", variable="KEY", model="m")
    assert failure.kind is not ErrorKind.CONTEXT_WINDOW
