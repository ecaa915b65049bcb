"""Which prompts become a goal by themselves? Only those that leave no doubt."""

import pytest

from daedal.autopilot import is_worth_a_goal, strategy_for
from daedal.protocol.goals import GoalStrategy
from tests.toolbox.requirement import requirement

STRONG = [
    "Investigate why the p99 latency of the search endpoint regressed. Form hypotheses, measure each against the "
    "baseline, and keep going until it is below 200 ms. I am away, so work autonomously.",
    "Optimize the tokenizer. Run experiments one change at a time, benchmark every one, keep a journal of failed "
    "attempts, and do not stop until it is twice as fast as now.",
    "Debug the flaky import test overnight: try different approaches, iterate, record all findings, measure how often "
    "it fails out of 200 runs before and after.",
]
WEAK = "Think long term: optimize the parser, research the alternatives and verify the result thoroughly. "


@requirement("RX-12")
@pytest.mark.parametrize("prompt", STRONG)
def test_a_very_strong_signal_is_one(prompt: str):
    assert is_worth_a_goal(prompt)


@requirement("RX-12")
@pytest.mark.parametrize(
    "prompt",
    [
        "long term",
        "optimize this function",
        "research caching libraries",
        "verify that the tests pass",
        WEAK,
        WEAK * 5,
        "Implement a retry with backoff for the HTTP client, and add tests that measure how long it waits. Verify it.",
        "Investigate the failing test and fix it. Benchmark before and after, one change at a time.",
        "Keep going until the tests pass.",
        "Work autonomously overnight and fix all lint errors in the repository, then commit them in small commits. "
        * 2,
        "How would you investigate a regression, form hypotheses, run experiments, measure them against a baseline and "
        "keep going until it is solved, overnight?",
        "Explain the AutoResearch protocol: iterate, form hypotheses, measure, keep going until it is reached, and "
        "work autonomously without asking me.",
        "Do not keep iterating. Investigate the regression, name your hypotheses, measure once against the baseline, "
        "come back to me; never run overnight without asking me.",
        "Translate this to German: “Investigate the regression, form hypotheses, run experiments, measure against the "
        "baseline, and keep going until it is solved. Work autonomously.” Keep the tone.",
        "Summarise this issue in two sentences for the changelog of the next release.\n\n"
        + "\n".join("> " + one for one in STRONG),
        "Fix the typo in the second line of this text, in docs/runbook.md:\n```\n"
        + "\n".join(STRONG)
        + "\n```\nThanks.",
        "/goal " + STRONG[0],
        "",
    ],
)
def test_weaker_words_alone_or_together_are_none(prompt: str):
    assert not is_worth_a_goal(prompt)


@requirement("RX-12")
@pytest.mark.parametrize(
    ("objective", "strategy"),
    [
        *((strong, GoalStrategy.RESEARCH) for strong in STRONG),
        ("investigate the memory leak and measure it", GoalStrategy.RESEARCH),
        ("optimize the build, keep iterating until it takes less than a minute", GoalStrategy.RESEARCH),
        ("debug the crash; try different approaches", GoalStrategy.RESEARCH),
        ("make all tests pass", GoalStrategy.SIMPLE),
        ("add a README", GoalStrategy.SIMPLE),
        ("implement the login form", GoalStrategy.SIMPLE),
    ],
)
def test_a_goal_of_long_research_adds_the_protocol(objective: str, strategy: GoalStrategy):
    assert strategy_for(objective) is strategy
