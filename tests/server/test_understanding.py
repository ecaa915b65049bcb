"""Is everything understood that a client written for Codex may say? By the schema of codex, with exceptions."""

import json
from pathlib import Path
from typing import Any

import pytest

from daedal.protocol.wire import Request
from daedal.server.dialect import Untranslatable, approval_answer, input_answer
from daedal.server.methods import InvalidParams
from daedal.server.reviewing import review_of
from daedal.server.surface import read_params
from tests.server.samples import Samples
from tests.server.surface import REQUESTED
from tests.toolbox.requirement import requirement

CODEX = json.loads(Path(__file__).with_name("codex_schema.json").read_text())
SAMPLES = Samples(CODEX["definitions"])

UNSAID = {
    "image": "a picture that was uploaded elsewhere is not here to be read: give the picture itself, or its file",
    "audio": "no provider here takes sound",
    "localAudio": "no provider here takes sound",
}
"""Kinds of input that are refused with a sentence, and why."""


def refused(params: dict[str, Any]) -> bool:
    kinds = {part.get("type") for part in params.get("input") or [] if not isinstance(part.get("url"), str)}
    sounds = {part.get("type") for part in params.get("input") or []} & {"audio", "localAudio"}
    return bool(sounds or kinds & set(UNSAID))


@requirement("FA-01")
@pytest.mark.parametrize("method", REQUESTED)
def test_every_request_that_codex_allows_is_understood(method: str):
    for params in SAMPLES.of(CODEX["requests"][method]):
        request = Request(id=1, method=method, params=params)
        if isinstance(params, dict) and refused(params):
            with pytest.raises(Untranslatable):
                read_params(request)
            continue
        try:
            read_params(request)
        except (InvalidParams, Untranslatable) as trouble:
            raise AssertionError(f"{method} {params}: {trouble}") from trouble


def test_every_kind_of_review_is_understood():
    for target in SAMPLES.of(CODEX["definitions"]["ReviewTarget"]):
        assert review_of(target)


@pytest.mark.parametrize(
    "method",
    ["item/commandExecution/requestApproval", "item/fileChange/requestApproval", "mcpServer/elicitation/request"],
)
def test_every_answer_to_an_approval_that_codex_allows_is_understood(method: str):
    answers = list(SAMPLES.of(CODEX["clientAnswers"][method]))
    assert len(answers) > 3
    assert [answer for answer in answers if approval_answer(answer) is None] == []


def test_every_answer_to_a_question_that_codex_allows_is_understood():
    answers = SAMPLES.of(CODEX["clientAnswers"]["item/tool/requestUserInput"])
    assert [answer for answer in answers if input_answer(answer) is None] == []
