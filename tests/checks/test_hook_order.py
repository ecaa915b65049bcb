"""Do the 27 events stand in the specified order, and would the check notice if they did not?"""

import subprocess
import sys

from daedal.hooks.points import Common
from tests.checks.hook_order import declared, differences, specified
from tests.checks.sources import ROOT
from tests.toolbox.requirement import requirement


@requirement("SD-09")
def test_events_and_their_fields_stand_in_union_order():
    assert list(differences()) == []
    assert len(specified()) == 27


@requirement("SD-09")
def test_the_check_runs_as_a_script():
    done = subprocess.run(
        [sys.executable, "-m", "tests.checks.hook_order"], cwd=ROOT, capture_output=True, text=True, timeout=60
    )
    assert (done.returncode, done.stdout) == (0, "all 27 events stand as specified\n"), done.stderr


def test_the_check_sees_order_and_what_may_be_missing():
    class Sample(Common, frozen=True, kw_only=True):
        second: str
        first: str | None = None

    assert declared(Sample) == ["second", "first?"]
