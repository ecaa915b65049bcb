"""What becomes of an agent that lies, cheats, loops or breaks things? The morning's board is true all the same."""

import json
import sqlite3

import pytest

from tests.journeys.delivering import (
    HOLLOW,
    OTHER,
    TEST,
    Agent,
    Proved,
    bash,
    board,
    built,
    claim,
    create,
    deliver,
    plant,
    prepared,
    write,
)
from tests.toolbox.model_server import call, say
from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement


@pytest.fixture
def project(daedal: Daedal) -> Daedal:
    prepared(daedal)
    plant(daedal, CORE_001="pending")
    return daedal


@requirement("DX-05")
def test_a_claim_is_refused_with_what_is_missing_until_it_is_proved(proved: Proved):
    for name, missing in {
        "nothing": "it works: no command is named for it",
        "never ran": f"`{OTHER}` did not run in this session",
        "failed": f"`{TEST}` ended with exit code 1",
        **{command: f"`{command}` does not count" for command in HOLLOW},
        "no test": "says that no test ran in it",
        "too old": f"`{TEST}` ran before the last change: run it again",
    }.items():
        assert "CORE-001 is not passed yet" in proved.answers[name], name
        assert missing in proved.answers[name], name
    assert "CORE-001 is passed." in proved.answers["green"]
    assert proved.done.code == 0, proved.done.out
    sql = "SELECT event_type FROM events WHERE event_type LIKE 'Deliverable%'"
    assert proved.daedal.rows(sql) == [("DeliverableIntended",), ("DeliverableChanged",)]


@requirement("DX-05")
def test_without_receipts_a_word_is_enough(project: Daedal, model):
    agent = Agent([claim("CORE-001"), say("Done.")])
    model(agent)
    assert deliver(project, "--no-receipts").code == 0
    assert "evidence" not in json.dumps([tool for tool in agent.first[0]["tools"] if "deliverables" in tool["name"]])


@requirement("DX-05", "AU-01")
def test_what_a_later_session_breaks_is_mended_and_what_it_leaves_intact_needs_no_model(project: Daedal, model):
    plant(project, CORE_001="pending", CORE_002="pending")
    other = "python3 -m unittest -q test_taking"
    agent = Agent(
        [*built("adding"), claim("CORE-001", TEST), say("One.")],
        # It breaks the first one, and shows only its own test.
        [*built("taking"), write("adding.py", "ok = False\n"), bash(other), claim("CORE-002", other), say("Two.")],
        # It mends that, and touches the second one without breaking it.
        [
            write("adding.py", "ok = True\n"),
            write("taking.py", "ok = 1\n"),
            bash(TEST),
            claim("CORE-001", TEST),
            say("Mended."),
        ],
    )
    model(agent)
    done = deliver(project)
    assert done.code == 0, done.out
    assert agent.begun == 3
    assert "[STALE] Feature CORE-001 (CORE-001)\n[PENDING] Feature CORE-001 (CORE-001)" in done.out
    assert "broken by a later edit" in agent.told(2)
    assert "[STALE] Feature CORE-002 (CORE-002)" in done.out
    assert "[PASS] Feature CORE-002 (CORE-002), verified again" in done.out
    assert "stale" not in project("status").out.splitlines()[1]


@requirement("DX-05", "AU-06")
def test_what_the_last_session_breaks_is_not_passed_when_it_ends(project: Daedal, model):
    plant(project, CORE_001="pending", CORE_002="pending", CORE_003="pending")
    other = "python3 -m unittest -q test_taking"
    agent = Agent(
        [*built("adding"), claim("CORE-001", TEST), say("One.")],
        [*built("taking"), write("adding.py", "ok = False\n"), bash(other), claim("CORE-002", other), say("Two.")],
    )
    model(agent)
    done = deliver(project, "-n", "2")
    assert done.code == 53
    assert board(project) == {"CORE-001": "pending", "CORE-002": "passed", "CORE-003": "pending"}
    assert "Max iterations (2) reached" in done.out
    assert "Overall: 2 session(s), 1/3 deliverables passed" in done.out


@requirement("DX-05")
def test_an_edit_after_the_end_shows_as_stale_and_the_next_run_looks_again(daedal: Daedal, model, proved: Proved):
    project = proved.copy(daedal)
    model(Agent())
    (project.workspace / "notes.txt").write_text("of nobody's session\n")
    assert project("status", "--json").json["stale"] == 0
    (project.workspace / "adding.py").write_text("ok = False\n")
    assert project("status", "--json").json["deliverables"][0]["status"] == "stale"
    assert deliver(project, "-n", "1").code == 53
    assert board(project) == {"CORE-001": "pending", "CORE-002": "blocked"}


@requirement("AU-05", "AU-17")
def test_no_tool_and_no_command_changes_the_board(project: Daedal, model):
    path = project.workspace / ".daedal" / "status.json"
    before = path.read_text()
    forged = before.replace('"passed": false', '"passed": true')
    one_liner = "python3 -c \"p='.daedal/status.json'; s=open(p).read(); open(p,'w').write(s.replace('false','true'))\""
    agent = Agent(
        [
            call("Read", file_path=".daedal/status.json"),
            write(".daedal/status.json", forged),
            bash("echo '{}' > .daedal/status.json"),
            bash(one_liner),
            write("forge.py", "open('.daedal/status.json','w').write('{}')\n"),
            bash("python3 forge.py"),
            bash("git init -q ."),
            bash("git add -f .daedal && git commit -qm x && git rm -rq --cached .daedal && git clean -fdxq"),
            bash("git checkout -- .daedal; git stash -u"),
            say("Done!"),
        ]
    )
    model(agent)
    done = deliver(project, "-n", "1")
    assert done.code == 53
    assert path.read_text() == before


@requirement("AU-16")
def test_nothing_outside_the_project_is_removed(project: Daedal, model):
    outside = project.root / "outside.txt"
    outside.write_text("keep\n")
    model(Agent([bash(f"rm -rf {outside}"), bash("rm -rf ../outside.txt"), say("Done.")]))
    done = deliver(project, "-n", "1", "--allow-destructive")
    assert outside.exists()
    assert done.err.count("--allow-destructive") == 1


def test_what_an_earlier_session_ran_into_is_told_to_those_after_it(project: Daedal, model):
    repeating = [bash("ls")] * 40
    half = [*built("adding", works=False), claim("CORE-001", TEST), say("Almost.")]
    others = [[write("notes.txt", f"{number}\n"), say("Went on.")] for number in range(3)]
    last = [write("adding.py", "ok = True\n"), bash(TEST), claim("CORE-001", TEST), say("Done.")]
    agent = Agent(repeating, half, *others, last)
    server = model(agent)
    done = deliver(project)
    assert done.code == 0, done.out
    assert "Session 1 no_progress" in done.out
    assert len(server.requests) < 35
    assert "the same call 8 times with the same result: Bash ls" in agent.told(1)
    for session in (2, 5):
        assert "Session 2 (coding) came to nothing: no deliverable was finished." in agent.told(session)
        assert f"`{TEST}` ended with exit code 1" in agent.told(session)
        assert "was refused: CORE-001 is not passed yet." in agent.told(session)


def test_sessions_that_change_nothing_do_not_go_on_for_ever(project: Daedal, model):
    agent = Agent(after=[say("I am sure that it is fine.")])
    model(agent)
    done = deliver(project)
    assert done.code == 1
    assert agent.begun == 4
    assert "Max retries exceeded: the session changed nothing" in done.out


@requirement("AU-01")
def test_a_plan_of_nothing_is_no_plan(project: Daedal, model):
    (project.workspace / ".daedal" / "status.json").unlink()
    agent = Agent([say("Nothing to do.")], [create("CORE-001")])
    model(agent)
    done = deliver(project, "-n", "2")
    assert agent.tools(1) == {"create"}
    assert "planned no deliverable" in done.err
    assert board(project) == {"CORE-001": "pending"}


@requirement("DX-05")
def test_what_passed_stands_in_the_chain_with_the_commands_that_prove_it(daedal: Daedal, proved: Proved):
    project = proved.copy(daedal)
    receipts = project("receipts", "--json").json
    proof = next(receipt for receipt in receipts if receipt["kind"] == "deliverable")
    ran = next(receipt for receipt in receipts if receipt["hash"] == proof["body"]["commands"][0]["receipt"])
    assert ran["body"]["command"] == TEST
    assert ran["body"]["exit_code"] == 0
    assert len(proof["body"]["tree"]) == 64
    assert "chain is whole" in project("receipts", "verify").out
    connection = sqlite3.connect(project.database)
    connection.execute("UPDATE receipts SET body_json = replace(body_json, 'unittest', 'nothing')")
    connection.commit()
    connection.close()
    broken = project("receipts", "verify")
    assert broken.code == 1
    assert "is broken at number" in broken.err
