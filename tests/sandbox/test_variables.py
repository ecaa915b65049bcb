"""What does a setting with variables in it mean?"""

import pytest

from daedal.sandbox import expand

ENVIRONMENT = {"HOME": "/home/ada", "EMPTY": "", "CACHE": "/var/${HOME}"}


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("/plain", "/plain"),
        ("${HOME}/.ssh", "/home/ada/.ssh"),
        ("~/.ssh", "/home/ada/.ssh"),
        ("~", "/home/ada"),
        ("~other/x", "~other/x"),
        ("a~/x", "a~/x"),
        ("${NOPE:-/srv}/x", "/srv/x"),
        ("${EMPTY:-/srv}/x", "/srv/x"),
        ("${NOPE:-}/x", "/x"),
        ("${HOME:-/srv}", "/home/ada"),
        ("${CACHE}", "/var/${HOME}"),
        ("$HOME/x", "$HOME/x"),
        ("${HOME}${HOME}", "/home/ada/home/ada"),
        ("${NOPE}/x", None),
        ("${EMPTY}/x", None),
        ("", None),
    ],
)
def test_variables_and_the_tilde_are_filled_in_once(text: str, meant: str | None):
    assert expand(text, ENVIRONMENT) == meant


def test_without_a_home_the_tilde_means_nothing():
    assert expand("~/x", {}) is None
