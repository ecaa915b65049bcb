"""Where do paths lead, and what lies inside what?"""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daedal.sandbox import inside, resolve

NAMES = st.lists(st.sampled_from(["a", "ab", "b", ".c", "d e"]), max_size=4)


def test_a_relative_path_starts_at_the_working_directory(tmp_path: Path):
    assert resolve("a/../b", str(tmp_path)) == str(tmp_path / "b")


def test_the_tilde_is_the_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    assert resolve("~/x", "/") == str(tmp_path / "x")


def test_links_are_followed_before_dots_are(tmp_path: Path):
    (tmp_path / "far" / "away").mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path / "far" / "away")
    assert resolve("link/../x", str(tmp_path)) == str(tmp_path / "far" / "x")


def test_a_dangling_link_leads_to_what_it_would_create(tmp_path: Path):
    (tmp_path / "dangling").symlink_to(tmp_path / "out" / "created")
    assert resolve("dangling", str(tmp_path)) == str(tmp_path / "out" / "created")


def test_a_looping_link_does_not_raise(tmp_path: Path):
    (tmp_path / "one").symlink_to("two")
    (tmp_path / "two").symlink_to("one")
    assert inside(resolve("one/x", str(tmp_path)), [str(tmp_path)])


@pytest.mark.parametrize(("path", "said"), [("a\0b", "null byte"), ("a\ud800b", "surrogates not allowed")])
def test_what_can_be_no_path_is_a_value_error(tmp_path: Path, path: str, said: str):
    with pytest.raises(ValueError, match=said):
        resolve(path, str(tmp_path))


def test_a_longer_name_is_not_inside_a_shorter_one():
    assert not inside("/ws2/a", ["/ws"])
    assert inside("/ws/a", ["/ws"])
    assert inside("/ws", ["/ws"])
    assert inside("/anything", ["/"])
    assert not inside("/anything", [])


@given(NAMES, NAMES)
def test_being_inside_is_about_whole_components(path: list[str], root: list[str]):
    expected = path[: len(root)] == root
    assert inside("/" + "/".join(path), ["/" + "/".join(root)]) is expected


@given(NAMES, st.lists(NAMES, max_size=3))
def test_being_inside_several_is_being_inside_one(path: list[str], roots: list[list[str]]):
    place = "/" + "/".join(path)
    folders = ["/" + "/".join(root) for root in roots]
    assert inside(place, folders) is any(os.path.commonpath([place, folder]) == folder for folder in folders)
