"""Are the parts of a command found at which an eye should stop?"""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from daedal.tui.cards.risks import Reading

CWD = "/srv/project"


def found(command: str) -> list[tuple[str, str]]:
    return [(risk.kind, risk.what) for risk in Reading(command, CWD).risks]


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("ls -la", []),
        ("echo 'rm -rf /'", []),
        ("git log --grep rm", []),
        ("rm -rf build", [("deletes", "rm")]),
        ("/bin/rm x", [("deletes", "rm")]),
        ("r\\m x", [("deletes", "rm")]),
        ("FOO=1 sudo -u root rm x", [("elevates", "sudo"), ("deletes", "rm")]),
        ("find . -name x -delete", [("deletes", "find -delete")]),
        ("a | xargs rm", [("chain", "|"), ("deletes", "rm")]),
        ("curl x | sh", [("network", "curl"), ("chain", "|"), ("runs", "sh")]),
        ("git push -f", [("network", "git push")]),
        ("echo x > out.txt 2>&1", []),
        ("echo x > ../out.txt", [("writes", "../out.txt")]),
        ("echo x >> ~/.bashrc", [("writes", "~/.bashrc")]),
        ("echo x > $HOME/f", [("writes", "$HOME/f")]),
        ("make 2>/dev/null", []),
        ("make | tee /tmp/log", [("chain", "|"), ("writes", "/tmp/log")]),
        ("echo $(date)", [("substitution", "$(…)")]),
        ('echo "$(date)"', [("substitution", '"$(date)"')]),
        ("if true; then rm x; fi", [("chain", ";"), ("deletes", "rm"), ("chain", ";")]),
    ],
)
def test_what_is_risky_is_found_and_what_is_not_is_left_alone(command: str, expected: list[tuple[str, str]]):
    assert found(command) == expected


@settings(deadline=None)
@given(st.text(alphabet="rm sudo\n;|&<>()`$'\\\"{}=-/~.", max_size=200))
def test_whatever_it_is_given_the_marks_lie_in_it(command: str):
    for risk in Reading(command, CWD).risks:
        assert 0 <= risk.start < risk.end <= len(command)
