"""Does the program decide about paths as the tools act? Every case is prepared on disk, decided, and then done."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from daedal.protocol.confinement import Confinement
from daedal.sandbox import expand, path_case
from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement
from tests.tools.desk import Desk

pytestmark = requirement("RX-16")
CASES = Path(__file__).with_name("path_cases.jsonl").read_text().splitlines()


def prepared(folder: Path) -> list[dict[str, Any]]:
    """All cases, each in a fresh folder of its own."""
    cases: list[dict[str, Any]] = []
    for number, line in enumerate(CASES):
        fresh = folder / f"t{number}"
        fresh.mkdir()
        case = json.loads(line.replace("$T", str(fresh)))
        subprocess.run(["bash", "-e"], input="\n".join(case["setup"]), text=True, check=True)
        cases.append(case)
    return cases


def test_the_program_decides_every_case_and_touches_nothing(daedal: Daedal, tmp_path: Path):
    cases = prepared(tmp_path)
    before = sorted(map(str, tmp_path.rglob("*")))
    done = daedal("policy", "check", "path", stdin="".join(json.dumps(case) + "\n" for case in cases))
    assert (done.code, done.err) == (0, "")
    told = [(answer["id"], answer["decision"], answer["rule"]) for answer in done.lines]
    assert told == [(case["id"], case["expect"], case["rule"]) for case in cases]
    assert all(answer["reason"] for answer in done.lines)
    assert sorted(map(str, tmp_path.rglob("*"))) == before


def test_the_tools_do_what_was_decided(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    for number, case in enumerate(prepared(tmp_path)):
        outside = tmp_path / f"t{number}" / "out"
        monkeypatch.setenv("HOME", case.get("env", {}).get("HOME", str(outside)))
        tool, arguments = {
            "read": ("Read", {"file_path": case["path"]}),
            "write": ("Write", {"file_path": case["path"], "content": "new\n"}),
            "list": ("Glob", {"pattern": "*", "path": case["path"]}),
            "move": ("Glob", {"pattern": "*"}),
        }[case["op"]]
        desk = desk_of(case, tmp_path / f"t{number}")
        confined = desk.tools.get(tool).is_confined(arguments, desk.cwd)  # type: ignore[union-attr]
        outcome = desk.do(tool, **arguments)
        if case["op"] != "move":  # no tool moves files; what must hold afterwards holds anyway
            assert outcome.is_error is (case["expect"] == "deny"), (case["id"], outcome.content)
        if case["op"] == "write":
            assert confined or case["expect"] == "deny", case["id"]
        for check in case.get("post", []):
            assert subprocess.run(["bash", "-c", check], check=False).returncode == 0, (case["id"], check)


def desk_of(case: dict[str, Any], folder: Path) -> Desk:
    environment = {"HOME": case.get("env", {}).get("HOME", "")}
    root = Path(case["root"]).resolve()
    extra = [place for text in case["allow_write"] if (place := expand(text, environment))]
    closed = [str(root / place) for text in case["forbid_read"] if (place := expand(text, environment))]
    writable = [str(root), *(str(Path(place).resolve()) for place in extra)]
    return Desk(folder, confinement=Confinement(workspace=str(root), writable=writable, unreadable=closed))


@pytest.mark.parametrize(
    "case",
    [
        {},
        {"root": "/ws", "op": "chmod", "path": "a"},
        {"root": "/ws", "op": "read", "path": 3},
        {"root": "/ws", "op": "move", "path": "a"},
        {"root": "/ws", "op": "read", "path": "a", "forbid_read": "all"},
    ],
)
def test_what_is_no_case_is_told(case: dict[str, Any]):
    with pytest.raises(ValueError, match=r"."):
        path_case(case)


def test_keys_without_a_value_are_keys_left_out():
    case = {"root": "/ws", "op": "write", "path": "a", "allow_write": None, "forbid_read": None, "dest": None}
    assert path_case(case)["decision"] == "allow"


def test_a_call_by_hand_is_held_by_the_same_walls(daedal: Daedal, tmp_path: Path):
    (tmp_path / "temp").mkdir()
    (tmp_path / "project2").mkdir()
    (tmp_path / "out").mkdir()
    (daedal.workspace / "dangling").symlink_to(tmp_path / "out" / "created")
    (daedal.workspace / "link").symlink_to(tmp_path / "out")
    for path in ("dangling", "link/a.txt", "../project2/a.txt", str(tmp_path / "out" / "a.txt")):
        call = json.dumps({"tool": "Write", "input": {"file_path": path, "content": "new\n"}})
        done = daedal("--eval", call, "--approval", "yolo", TMPDIR=str(tmp_path / "temp"))
        assert done.json["is_error"], path
        assert "outside the folders that may be written" in done.json["content"]
    assert list((tmp_path / "out").iterdir()) == list((tmp_path / "project2").iterdir()) == []
    call = json.dumps({"tool": "Write", "input": {"file_path": "deep/a.txt", "content": "new\n"}})
    assert not daedal("--eval", call, "--approval", "yolo", TMPDIR=str(tmp_path / "temp")).json["is_error"]
