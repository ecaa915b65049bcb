"""Does the load on a server count what it should?"""

from pathlib import Path

from bench.contestants import daedal
from bench.scratch import Scratch
from bench.server_load import load, server_argv


def test_every_turn_is_done_and_every_event_checked_off(tmp_path: Path) -> None:
    scratch = Scratch(tmp_path)
    done = load(daedal(scratch), scratch, threads=3, turns=2)
    assert (done.turns, done.lost) == (6, 0)
    assert len(done.ages_ms) > 6 * 8


def test_a_paced_load_takes_its_time(tmp_path: Path) -> None:
    scratch = Scratch(tmp_path)
    done = load(daedal(scratch), scratch, threads=2, turns=2, per_second=20)
    assert (done.turns, done.lost) == (4, 0)
    assert done.seconds >= 3 / 20


def test_settings_on_the_command_line_are_kept(tmp_path: Path) -> None:
    argv = server_argv(daedal(Scratch(tmp_path)), 1)
    assert argv[1:] == ["app-server"]
