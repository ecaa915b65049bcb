"""Is a test run that found no test told from one that did?"""

import pytest

from daedal.delivery.hollow import ran_no_test
from tests.toolbox.requirement import requirement


@requirement("DX-05")
@pytest.mark.parametrize(
    "output",
    [
        "\n----\nRan 0 tests in 0.000s\n\nOK\n",
        "collected 0 items\n\n=== no tests ran in 0.01s ===",
        "running 0 tests\n\ntest result: ok. 0 passed; 0 failed\n\nrunning 0 tests\n",
        "?   \texample.com/x\t[no test files]",
        "testing: warning: no tests to run\nPASS\n",
        "No tests found, exiting with code 0",
    ],
)
def test_a_run_that_says_it_found_nothing_is_hollow(output: str):
    assert ran_no_test(output)


@pytest.mark.parametrize(
    "output",
    [
        "",
        "MCMXCIV\n",
        "Ran 1 test in 0.000s\n\nOK",
        "=== 3 passed in 0.02s ===",
        "running 2 tests\n..\n\nrunning 0 tests\n",
        "?   \texample.com/x\t[no test files]\nok  \texample.com/y\t0.003s\n",
    ],
)
def test_a_run_that_found_something_or_says_nothing_of_tests_is_not(output: str):
    assert not ran_no_test(output)
