"""Does `daedal sandbox` run a command as an agent's would run, and does `daedal doctor` prove the walls?"""

import os

from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement


def test_output_and_exit_code_pass_through_with_one_line_about_the_walls(daedal: Daedal):
    done = daedal("sandbox", "run", "--", "bash", "-c", "echo out; pwd; exit 7")
    assert (done.code, done.out) == (7, f"out\n{daedal.workspace}\n")
    assert done.err.count("\n") == 1
    assert "bubblewrap" in done.err
    assert "network off" in done.err


@requirement("RX-16", "AU-18")
def test_the_walls_hold_and_can_be_moved_from_the_command_line(daedal: Daedal):
    out = daedal.root / "out"
    out.mkdir()
    (out / "secret").write_text("precious")
    script = f"echo x > {out}/a; cat {out}/secret"
    temp = {"TMPDIR": str(daedal.root / "temp")}
    os.mkdir(temp["TMPDIR"])
    done = daedal("sandbox", "run", "--forbid-read", str(out / "secret"), "--", "bash", "-c", script, **temp)
    assert (done.out, list(out.iterdir())) == ("", [out / "secret"])
    done = daedal("sandbox", "run", "--write", str(out), "--", "bash", "-c", script, **temp)
    assert (done.out, (out / "a").read_text()) == ("precious", "x\n")


def test_keys_and_ledger_are_closed_and_the_settings_folder_cannot_be_written(daedal: Daedal):
    home = daedal.root / "home" / ".daedal"
    home.mkdir(parents=True, exist_ok=True)
    (home / ".env").write_text("KEY=precious")
    (home / "daedal.db").write_text("precious")
    (home / "config.toml").write_text("")
    script = f"cat {home}/.env {home}/daedal.db; cat {home}/config.toml && echo read; echo x > {home}/config.toml"
    done = daedal("sandbox", "run", "--", "bash", "-c", script, DAEDAL_HOME=str(home))
    assert done.out == "read\n"
    assert (home / "config.toml").read_text() == ""


def test_what_is_wrong_with_a_call_is_told(daedal: Daedal):
    assert daedal("sandbox", "run").code == 2
    assert daedal("sandbox", "run", "--no-such-flag", "--", "true").code == 2
    assert daedal("sandbox").code == 2
    assert daedal("sandbox", "run", "-C", "gone", "--", "true").code == 2
    missing = daedal("sandbox", "run", "--", "no-such-program")
    assert missing.code == 1
    assert "cannot start no-such-program" in missing.err


def test_the_status_is_there_for_programs(daedal: Daedal):
    found = daedal("sandbox", "status", "--json").json
    assert (found["mechanism"], found["confined"], found["network"]) == ("bubblewrap", True, "off")
    assert str(daedal.workspace) in found["writable"]


@requirement("DX-18")
def test_doctor_proves_each_wall(daedal: Daedal):
    checks = [check for check in daedal("doctor", "--json").json["checks"] if check["name"] == "sandbox"]
    assert [check["state"] for check in checks] == ["ok"] * 6
    assert all("tried from inside" in check["detail"] for check in checks)


def test_where_bubblewrap_does_not_work_landlock_confines_and_what_it_leaves_open_is_said(daedal: Daedal):
    """Inside a sandbox there cannot be another."""
    inner = [*daedal.program, "sandbox"]
    done = daedal("sandbox", "run", "--", *inner, "status", "--json")
    assert (done.code, done.json["mechanism"], done.json["confined"]) == (1, "landlock", False)
    assert "bubblewrap cannot confine commands here" in done.json["gaps"]
    assert "UDP" in done.json["gaps"]
    script = f"echo x > in; echo x > {daedal.root}/out; exit 6"
    done = daedal("sandbox", "run", "--write", str(daedal.root), "--", *inner, "run", "--", "bash", "-c", script,
                  TMPDIR=str(daedal.workspace))  # fmt: skip
    assert done.code == 6
    assert "left open" in done.err
    assert (daedal.workspace / "in").read_text() == "x\n"
    assert not (daedal.root / "out").exists()
