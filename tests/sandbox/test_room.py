"""The room's door: an exact list of names, light to open, and programs that can be found."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import daedal.sandbox
from daedal.sandbox import SpawnFailed, find_program, search_program


def test_every_public_name_can_be_imported():
    for name in daedal.sandbox.__all__:
        assert getattr(daedal.sandbox, name).__name__ == name


def test_the_machinery_is_loaded_with_the_first_command_only():
    script = "import sys, daedal.sandbox; print(sorted({'ctypes', 'daedal.sandbox.workshop'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("[]\n", "")


def test_ripgrep_came_with_us():
    done = subprocess.run([search_program(), "--version"], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("ripgrep")


def test_ripgrep_on_path_is_the_second_choice_and_its_absence_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    with pytest.raises(SpawnFailed, match="ripgrep"):
        search_program()
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "rg").write_text("")
    (tmp_path / "bin" / "rg").chmod(0o755)
    assert search_program() == str(tmp_path / "bin" / "rg")


def test_a_program_must_be_an_executable_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PATH", os.pathsep.join((str(tmp_path / "one"), str(tmp_path / "two"))))
    (tmp_path / "one" / "tool").mkdir(parents=True)
    (tmp_path / "two").mkdir()
    (tmp_path / "two" / "tool").write_text("")
    assert find_program("tool") is None
    (tmp_path / "two" / "tool").chmod(0o755)
    assert find_program("tool") == str(tmp_path / "two" / "tool")
