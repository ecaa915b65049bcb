"""Is a report read as it was meant, and never where none was made?"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daedal.autopilot.reporting import Claim, Report, normalised, read_report
from tests.toolbox.requirement import requirement


@requirement("RX-12")
@pytest.mark.parametrize(
    ("said", "report"),
    [
        ("Done.\n\n[goal:complete]", Report(Claim.COMPLETE)),
        ("[GOAL: Complete ]  \n\n", Report(Claim.COMPLETE)),
        ("Done.\n**[goal:complete]**", Report(Claim.COMPLETE)),
        ("Done.\n```\n[goal:complete]\n```", Report(Claim.COMPLETE)),
        ("More.\n[goal:continue]", Report(Claim.CONTINUE)),
        ("[goal:blocked: no API key]", Report(Claim.BLOCKED, "no API key")),
        ("[goal:blocked:no API key]", Report(Claim.BLOCKED, "no API key")),
        ("[goal:blocked] no API key", Report(Claim.BLOCKED, "no API key")),
        ("[goal:blocked: needs key [A] of two]", Report(Claim.BLOCKED, "needs key [A] of two")),
        ("[goal:blocked]", Report(Claim.BLOCKED, "it did not say what is in the way")),
    ],
)
def test_a_mark_in_the_last_line_is_a_report(said: str, report: Report):
    assert read_report(said) == report


@requirement("RX-12")
@pytest.mark.parametrize(
    "said",
    [
        "",
        "The goal is complete.",
        "[goal:complete]\nBut the tests still fail.",
        "I will say [goal:complete] when it is done",
        "When it is done I will say [goal:complete]",
        "[goal:complete] except for two tests",
        "[goal:complete: mostly]",
        "[todo:complete]",
        "[goal:done]",
        "[goal:completely broken]",
        "[goal:" + "complete" * 1000,
    ],
)
def test_nothing_else_counts_as_done(said: str):
    assert read_report(said) == Report(Claim.CONTINUE)


@given(st.text())
def test_any_text_can_be_read(said: str):
    assert read_report(said).claim in Claim
    assert normalised(normalised(said)) == normalised(said)


@given(
    st.lists(st.sampled_from(["need", "the", "api", "key"]), min_size=1),
    st.sampled_from([" ", "  ", "\t", " - ", ", "]),
)
def test_case_white_space_and_punctuation_make_no_other_reason(words: list[str], between: str):
    assert normalised(between.join(words).upper() + "!") == normalised(" ".join(words))


def test_other_words_are_another_reason():
    assert normalised("no API key") != normalised("no network")
    assert normalised("!?") != normalised("...")
