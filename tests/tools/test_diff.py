"""Do faces see what changed? A diff is right when git makes the new file of the old one with it."""

import os
import subprocess
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from daedal.tools.diff import DIFF_CHARACTERS_MAX, change

LINES = st.lists(st.sampled_from(["a", "b", "c", "", "a longer line"]), max_size=16)


@given(LINES, LINES, st.sampled_from(["", "\n"]), st.sampled_from(["", "\n"]))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_old_file_with_the_diff_applied_is_the_new(
    tmp_path: Path, old: list[str], new: list[str], old_end: str, new_end: str
):
    before = ("\n".join(("first", *old)) + old_end).encode()
    after = ("\n".join(("first", *new)) + new_end).encode()
    diff = change("f", before, after).diff
    assert bool(diff) is (before != after)
    if diff:
        (tmp_path / "f").write_bytes(before)
        subprocess.run(
            ["git", "apply", "-"],
            cwd=tmp_path,
            input=f"--- a/f\n+++ b/f\n{diff}".encode(),
            check=True,
            env={**os.environ, "GIT_CEILING_DIRECTORIES": str(tmp_path.parent)},
        )
        assert (tmp_path / "f").read_bytes() == after


def test_changes_far_apart_are_hunks_of_their_own():
    before = "".join(f"{number}\n" for number in range(1, 41))
    after = before.replace("\n5\n", "\nfive\n").replace("\n30\n", "\n")
    assert change("f", before.encode(), after.encode()).diff == (
        "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n@@ -27,7 +27,6 @@\n 27\n 28\n 29\n-30\n 31\n 32\n 33\n"
    )


def test_filling_and_emptying_a_file():
    assert change("f", b"", b"a\nb\n").diff == "@@ -0,0 +1,2 @@\n+a\n+b\n"
    assert change("f", b"a\n", b"").diff == "@@ -1 +0,0 @@\n-a\n"


def test_a_rewritten_large_file_is_shown_as_one_block_and_in_part():
    before = "".join(f"old {number}\n" for number in range(100_000)).encode()
    after = "".join(f"new {number}\n" for number in range(100_000)).encode()
    diff = change("f", before, after).diff
    assert diff.startswith("@@ -1,100000 +1,100000 @@\n-old 0\n-old 1\n")
    assert diff.endswith("\n[SDLC_TRUNCATED]\n")
    assert len(diff) <= DIFF_CHARACTERS_MAX + 20


def test_a_small_change_in_a_large_file_is_shown_small():
    before = "".join(f"line {number}\n" for number in range(200_000)).encode()
    after = before.replace(b"line 150000\n", b"LINE\n")
    assert change("f", before, after).diff == (
        "@@ -149998,7 +149998,7 @@\n line 149997\n line 149998\n line 149999\n"
        "-line 150000\n+LINE\n line 150001\n line 150002\n line 150003\n"
    )


def test_a_new_file_shows_its_content_and_a_binary_one_its_size():
    assert change("f", None, b"content").diff == "content"
    assert change("f", b"a\0b", b"text").diff == "Binary content: 3 bytes before, 4 bytes after\n"
