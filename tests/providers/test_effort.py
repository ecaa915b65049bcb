"""What becomes of one word for how hard to think? It depends on the model's name, and on what settings say of it."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daedal.protocol.model import EFFORTS
from daedal.providers import Choice, resolve, with_effort
from tests.providers.asking import entry

ENV = {"TEST_KEY": "key-of-the-tests-0123456789"}


def chosen(wire: str, name: str, **changes: Any) -> Choice:
    settings = entry(wire, "http://127.0.0.1:9", model=name, **changes)
    return resolve(provider="test", model=None, entries=[settings], env=ENV)


@pytest.mark.parametrize(
    ("name", "effort", "told"),
    [
        ("claude-opus-4-20250514", "high", (16_384, None)),
        ("claude-3-7-sonnet-20250219", "low", (4_096, None)),
        ("claude-opus-4-5-20251101", "max", (23_808, None)),
        ("claude-opus-4-6", "max", (None, "max")),
        ("claude-sonnet-4-6", "xhigh", (None, "high")),
        ("anthropic/claude-opus-4-7", "xhigh", (None, "xhigh")),
        ("claude-fable-5", "low", (None, "low")),
        ("glm-of-somebody", "medium", (8_192, None)),
        ("claude-3-5-haiku-20241022", "high", (None, None)),
    ],
)
def test_claude_gets_a_budget_or_an_effort_by_its_version(name: str, effort: str, told: tuple[Any, Any]):
    choice = with_effort(chosen("anthropic", name), effort)
    assert (choice.endpoint.thinking_tokens, choice.endpoint.thinking_effort) == told
    assert choice.card.effort == (None if told == (None, None) else effort)


@pytest.mark.parametrize(
    ("wire", "name", "effort", "told"),
    [
        ("chat", "o3", "max", "high"),
        ("chat", "gpt-5", "xhigh", "high"),
        ("chat", "openai/gpt-5.2-codex", "max", "xhigh"),
        ("responses", "gpt-5.1-codex-max", "xhigh", "xhigh"),
        ("responses", "a-model-of-tomorrow", "low", "low"),
        ("responses", "gpt-4.1", "low", None),
        ("chat", "qwen3", "low", None),
        ("chat", "o1-mini", "low", None),
    ],
)
def test_openai_gets_the_highest_word_that_the_model_knows(wire: str, name: str, effort: str, told: str | None):
    assert with_effort(chosen(wire, name), effort).endpoint.reasoning_effort == told


def test_settings_know_better_than_names():
    assert with_effort(chosen("chat", "qwen3", thinks=True), "low").endpoint.reasoning_effort == "low"
    assert with_effort(chosen("responses", "gpt-5", thinks=False), "low").endpoint.reasoning_effort is None
    assert with_effort(chosen("chat", "mine", reasoning_effort="minimal"), "high").endpoint.reasoning_effort == "high"


def test_without_a_word_the_settings_of_the_endpoint_stay_and_their_thinking_has_room():
    choice = with_effort(chosen("anthropic", "claude-opus-4-20250514", thinking_tokens=30_000), None)
    assert (choice.endpoint.thinking_tokens, choice.card.output_tokens_max) == (30_000, 38_192)
    assert choice.card.effort is None


@given(st.sampled_from(["anthropic", "chat", "responses"]), st.text(min_size=1, max_size=30), st.sampled_from(EFFORTS))
def test_whatever_a_model_is_called_its_longest_answer_has_room_for_its_thinking(wire: str, name: str, effort: str):
    choice = with_effort(chosen(wire, name), effort)
    assert choice.card.output_tokens_max >= (choice.endpoint.thinking_tokens or 0) + 8_192 * (
        choice.card.effort is not None
    )
    assert (choice.card.effort is None) == (choice.endpoint == chosen(wire, name).endpoint)
