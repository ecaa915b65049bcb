"""Which tools are in the box, and how light is it?"""

import subprocess
import sys
from pathlib import Path

import pytest

import daedal.tools
from daedal.protocol.errors import ConfigurationError
from daedal.tools import ToolSettings
from tests.tools.desk import Desk


def test_every_public_name_can_be_imported():
    for name in daedal.tools.__all__:
        value = getattr(daedal.tools, name)
        assert isinstance(value, int) or value.__name__ == name


def test_only_enabled_tools_are_in_the_box(tmp_path: Path):
    desk = Desk(tmp_path, ToolSettings(enabled=["Grep", "Read"]))
    assert [spec.name for spec in desk.tools.specs()] == ["Read", "Grep"]
    assert desk.tools.get("Bash") is None
    assert desk.tools.get("Nonsense") is None


def test_an_unknown_tool_in_the_settings_is_told_with_the_known(tmp_path: Path):
    with pytest.raises(ConfigurationError, match=r"unknown tool Raed .* Read, Write, Edit, .*Glob, Grep"):
        Desk(tmp_path, ToolSettings(enabled=["Raed"]))


def test_a_tool_stays_the_same_object_and_knows_its_spec(desk: Desk):
    for spec in desk.tools.specs():
        tool = desk.tools.get(spec.name)
        assert tool is not None
        assert tool is desk.tools.get(spec.name)
        assert tool.spec == spec


def test_what_one_thread_read_is_not_known_to_another(tmp_path: Path):
    one, other = Desk(tmp_path), Desk(tmp_path)
    one.put("a.txt", "x", mtime=1000)
    one.do("Read", file_path="a.txt")
    one.put("a.txt", "y", mtime=2000)
    assert not other.do("Write", file_path="a.txt", content="z").is_error


def test_the_definitions_are_made_without_loading_the_tools():
    script = """
import sys
from daedal.protocol.confinement import Confinement
from daedal.sandbox import ProcessSpawner
from daedal.tools import ToolSettings, builtin_tools
walls = Confinement(workspace="/ws", writable=["/ws"])
box = builtin_tools(ToolSettings(), ProcessSpawner([]), confinement=lambda: walls, scratch_dir=lambda: "")
assert len(box.specs()) > 10
heavy = {"pathlib", "logging", "ctypes", "shutil", "tempfile", "difflib", "json"}
print(sorted(name for name in sys.modules if name in heavy or name.startswith("daedal.tools.")))
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    light = ("box", "offering", "settings", "shell", "specs", "web", "web_settings", "worlds")
    loaded = [f"daedal.tools.{name}" for name in light]
    assert (done.stdout, done.stderr) == (f"{loaded}\n", "")
