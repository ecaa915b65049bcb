"""Is an exhausted quota recognised, and the time at which it is there again?"""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daedal.delivery.quota import JUST_NOW, clock, is_quota_exceeded, is_quota_message, reset_time, wait_s
from tests.toolbox.requirement import requirement

NOW = datetime(2026, 3, 10, 15, 16, 0, tzinfo=UTC)


@requirement("AU-08")
@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("You've hit your limit · resets 6pm (UTC)", datetime(2026, 3, 10, 18, tzinfo=UTC)),
        ("You've hit your limit · resets 6am (UTC)", datetime(2026, 3, 11, 6, tzinfo=UTC)),
        ("You've hit your limit · resets 12am (UTC)", datetime(2026, 3, 11, 0, tzinfo=UTC)),
        ("You've hit your limit · resets 12pm (UTC)", datetime(2026, 3, 11, 12, tzinfo=UTC)),
        ("You've hit your limit · resets 3:30pm (UTC)", datetime(2026, 3, 10, 15, 30, tzinfo=UTC)),
        ("You've hit your limit · resets 6pm", datetime(2026, 3, 10, 18, tzinfo=UTC)),
        ("You've hit your limit · resets 6pm (Europe/Berlin)", datetime(2026, 3, 10, 17, tzinfo=UTC)),
        ("You've hit your limit · resets 1pm (America/New_York)", datetime(2026, 3, 10, 17, tzinfo=UTC)),
        ("You've hit your limit · resets 11pm (UTC+5:30)", datetime(2026, 3, 10, 17, 30, tzinfo=UTC)),
        ("Claude AI usage limit reached|1773165600", datetime(2026, 3, 10, 18, tzinfo=UTC)),
        ("You've hit your limit", None),
        ("You've hit your limit · resets 13pm (UTC)", None),
        ("You've hit your limit · resets 6pm (Nowhere/Else)", None),
    ],
)
def test_the_reset_time_is_the_next_such_time_in_its_zone(said: str, expected: datetime | None):
    assert is_quota_exceeded(said)
    assert reset_time(said, NOW) == expected


@requirement("AU-08")
def test_an_answer_that_speaks_of_limits_is_not_the_message():
    assert is_quota_message("You've hit your limit · resets 6pm (UTC)\n")
    assert not is_quota_message("I made the page that says “You've hit your limit”. " + "It has tests. " * 40)
    assert not is_quota_message("Done.")


@requirement("AU-08")
@given(st.integers(1, 12), st.integers(0, 59), st.sampled_from(["am", "pm"]), st.integers(0, 86_399))
def test_a_wait_is_never_longer_than_a_day_and_never_without_end(hour: int, minute: int, half: str, at: int):
    now = datetime(2026, 3, 10, tzinfo=UTC) + timedelta(seconds=at)
    reset = reset_time(f"You've hit your limit · resets {hour}:{minute:02}{half} (UTC)", now)
    assert reset is not None
    assert now - JUST_NOW <= reset < now + timedelta(days=1)
    assert 0 < wait_s(reset, now, attempt=0) <= 86_400
    assert (reset.hour % 12, reset.minute) == (hour % 12, minute)


@given(st.text())
def test_no_text_makes_it_fail(text: str):
    is_quota_exceeded(text)
    reset_time(f"resets {text} 6pm ({text})", NOW)


def test_a_clock_reads_as_people_write_it():
    assert clock(datetime(2026, 3, 10, 18, tzinfo=UTC)) == "6:00 PM UTC"
    assert clock(datetime(2026, 3, 10, 0, 5, tzinfo=UTC)) == "12:05 AM UTC"
