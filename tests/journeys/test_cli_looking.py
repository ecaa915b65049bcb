"""Do commands that only look leave everything as it is, and help also where the ledger does not?"""

import sqlite3
from typing import Any

from tests.journeys.test_bad_input import configure
from tests.journeys.test_commands import made_read_only
from tests.toolbox.model_server import say
from tests.toolbox.program import Daedal


def examined(daedal: Daedal) -> dict[str, Any]:
    """Doctor's checks by name; a name with several keeps the worst."""
    rank = ["ok", "warning", "missing"]
    found: dict[str, Any] = {}
    for check in daedal("doctor", "--json").json["checks"]:
        known = found.get(check["name"])
        if known is None or rank.index(known["state"]) < rank.index(check["state"]):
            found[check["name"]] = check
    return found


def test_looking_makes_nothing(daedal: Daedal, model):
    model([say("never")])
    assert "will be made" in examined(daedal)["ledger"]["detail"]
    assert daedal("config", "get", "agent.max_steps").out == "10000\n"
    assert "agent.max_steps" in daedal("config").out
    assert not (daedal.home / ".daedal").exists()


def test_a_broken_ledger_is_said_once_and_the_model_is_still_examined(daedal: Daedal, model):
    model([say("never")])
    configure(daedal, 'default_model = "opus"\n[agent]\nmax_steps = 7\n')
    daedal.database.write_bytes(b"not a database at all" * 100)
    checks = examined(daedal)
    assert checks["ledger"]["state"] == "missing"
    assert str(daedal.database) in checks["ledger"]["detail"]
    assert checks["model"]["state"] == "ok"
    assert "claude_opus_4" in checks["model"]["detail"]
    assert daedal("doctor").out.count("no SQLite database") == 1
    got = daedal("config", "get", "agent.max_steps")
    assert (got.code, got.out) == (0, "7\n")
    assert got.err.startswith("warning: ")
    assert str(daedal.database) in got.err
    assert "agent.max_steps" in daedal("config").out


def test_a_read_only_or_busy_ledger_is_no_obstacle(daedal: Daedal, model):
    model([say("Hi.")])
    daedal("exec", "x")
    configure(daedal, "[agent]\nmax_steps = 7\n")
    somebody = sqlite3.connect(daedal.database)
    somebody.execute("BEGIN EXCLUSIVE")
    assert daedal("config", "get", "agent.max_steps").out == "7\n"
    assert examined(daedal)["model"]["state"] == "ok"
    somebody.close()
    with made_read_only(daedal.database.parent):
        assert daedal("config", "get", "agent.max_steps").out == "7\n"
        assert examined(daedal)["model"]["state"] == "ok"


def test_an_operators_change_in_the_ledger_is_seen(daedal: Daedal, model):
    model([say("Hi.")])
    daedal("exec", "x")
    with sqlite3.connect(daedal.database) as ledger:
        ledger.execute(
            "UPDATE settings_snapshot SET json = json_set(json, '$.agent.max_steps', 3) WHERE scope = 'effective'"
        )
    ledger.close()
    assert daedal("config", "get", "agent.max_steps").out == "3\n"
    rows = {row["key"]: row for row in daedal("config", "--json").json}
    assert rows["agent.max_steps"]["value"] == 3
