"""What becomes of an agent that lies, cheats, loops or breaks things? The morning's board is true all the same."""

import json
import sqlite3

import pytest

from tests.journeys.delivering import (
    TEST,
    Agent,
    bash,
    board,
    built,
    claim,
    create,
    deliver,
    plant,
    prepared,
    results,
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
def test_a_claim_without_evidence_is_refused_with_what_is_missing(project: Daedal, model):
    server = model(Agent(after=[claim("CORE-001"), claim("CORE-001", TEST), say("All done!")]))
    done = deliver(project)
    assert done.code == 1
    assert board(project) == {"CORE-001": "pending"}
    told = results(server.requests[2])
    assert "it works: no command is named for it" in told[0]
    assert f"`{TEST}` did not run in this session" in told[1]


@requirement("DX-05")
@pytest.mark.parametrize(
    "command", ["true", "echo ok", "ls", f"{TEST} || true", f"{TEST}; true", f"{TEST} | tail -1", "python3 -c pass"]
)
def test_a_command_that_proves_nothing_does_not_count(project: Daedal, model, command: str):
    model(Agent([*built("adding", works=False), bash(command), claim("CORE-001", command), say("Done!")]))
    deliver(project, "-n", "1")
    assert board(project) == {"CORE-001": "pending"}


@requirement("DX-05")
def test_a_green_run_of_no_test_at_all_does_not_count(project: Daedal, model):
    empty = "python3 -c \"import unittest; print('Ran 0 tests in 0.000s')\""
    server = model(Agent([write("app.py", "x = 1\n"), bash(empty), claim("CORE-001", empty), say("Done!")]))
    deliver(project, "-n", "1")
    assert "says that no test ran in it" in results(server.requests[-1])[-1]
    assert board(project) == {"CORE-001": "pending"}


@requirement("DX-05")
def test_a_receipt_from_before_the_last_change_does_not_count(project: Daedal, model):
    agent = Agent([*built("adding"), write("adding.py", "ok = 0\n"), claim("CORE-001", TEST), bash(TEST), say("Done!")])
    server = model(agent)
    deliver(project, "-n", "1")
    assert "ran before the last change: run it again" in results(server.requests[-2])[-1]
    assert board(project) == {"CORE-001": "pending"}


@requirement("DX-05")
def test_a_failed_command_is_no_evidence_and_a_green_one_is(project: Daedal, model):
    agent = Agent(
        [
            *built("adding", works=False),
            claim("CORE-001", TEST),
            write("adding.py", "ok = True\n"),
            bash(TEST),
            bash("git init -q . && git add -A"),
            claim("CORE-001", TEST),
            say("Done."),
        ]
    )
    server = model(agent)
    done = deliver(project)
    assert "ended with exit code 1" in results(server.requests[-1])[3]
    assert done.code == 0, done.out


@requirement("DX-05")
def test_without_receipts_a_word_is_enough(project: Daedal, model):
    agent = Agent([claim("CORE-001"), say("Done.")])
    model(agent)
    assert deliver(project, "--no-receipts").code == 0
    assert "evidence" not in json.dumps([tool for tool in agent.first[0]["tools"] if "deliverables" in tool["name"]])


@requirement("DX-05", "AU-01")
def test_what_a_later_session_breaks_goes_back_and_is_mended(project: Daedal, model):
    plant(project, CORE_001="pending", CORE_002="pending")
    other = "python3 -m unittest -q test_taking"
    agent = Agent(
        [*built("adding"), claim("CORE-001", TEST), say("One.")],
        # It breaks the first one, and shows only its own test.
        [*built("taking"), write("adding.py", "ok = False\n"), bash(other), claim("CORE-002", other), say("Two.")],
        [write("adding.py", "ok = True\n"), bash(TEST), claim("CORE-001", TEST), say("Mended.")],
    )
    model(agent)
    done = deliver(project)
    assert done.code == 0, done.out
    assert agent.begun == 3
    assert "[STALE] Feature CORE-001 (CORE-001)\n[PENDING] Feature CORE-001 (CORE-001)" in done.out
    assert "broken by a later edit" in agent.told(2)


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
def test_what_a_later_edit_leaves_intact_is_verified_again_without_a_model(project: Daedal, model):
    plant(project, CORE_001="pending", CORE_002="pending")
    other = "python3 -m unittest -q test_taking"
    agent = Agent(
        [*built("adding"), claim("CORE-001", TEST), say("One.")],
        [*built("taking"), write("adding.py", "ok = 1\n"), bash(other), claim("CORE-002", other), say("Two.")],
    )
    model(agent)
    done = deliver(project)
    assert done.code == 0, done.out
    assert agent.begun == 2
    assert "[STALE] Feature CORE-001 (CORE-001)" in done.out
    assert "stale" not in project("status").out.splitlines()[1]


@requirement("DX-05")
def test_an_edit_after_the_end_shows_as_stale_and_the_next_run_looks_again(project: Daedal, model):
    agent = Agent([*built("adding"), claim("CORE-001", TEST), say("One.")])
    model(agent)
    assert deliver(project).code == 0
    (project.workspace / "notes.txt").write_text("of nobody's session\n")
    assert project("status", "--json").json["stale"] == 0
    (project.workspace / "adding.py").write_text("ok = False\n")
    assert project("status", "--json").json["deliverables"][0]["status"] == "stale"
    assert deliver(project, "-n", "1").code == 53
    assert board(project) == {"CORE-001": "pending"}


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


def test_a_session_that_repeats_itself_is_ended_and_the_next_one_knows(project: Daedal, model):
    agent = Agent([bash("ls")] * 40, [*built("adding"), claim("CORE-001", TEST), say("Done.")])
    server = model(agent)
    done = deliver(project)
    assert done.code == 0, done.out
    assert "Session 1 no_progress" in done.out
    assert "the same call 8 times with the same result: Bash ls" in agent.told(1)
    assert len(server.requests) < 20


def test_what_was_tried_and_refused_is_told_to_the_sessions_after_it(project: Daedal, model):
    half = [*built("adding", works=False), claim("CORE-001", TEST), say("Almost.")]
    others = [[write("notes.txt", f"{number}\n"), say("Went on.")] for number in range(3)]
    agent = Agent(half, *others, [write("adding.py", "ok = True\n"), bash(TEST), claim("CORE-001", TEST), say("Done.")])
    model(agent)
    done = deliver(project)
    assert done.code == 0, done.out
    for session in (1, 4):
        assert "Session 1 (coding) came to nothing: no deliverable was finished." in agent.told(session)
        assert f"`{TEST}` ended with exit code 1" in agent.told(session)
        assert "was refused: CORE-001 is not passed yet." in agent.told(session)


def test_sessions_that_change_nothing_do_not_go_on_for_ever(project: Daedal, model):
    agent = Agent(after=[say("I am sure that it is fine.")])
    model(agent)
    done = deliver(project, "--max-retries", "2")
    assert done.code == 1
    assert agent.begun == 3
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
def test_what_passed_stands_in_the_chain_with_the_commands_that_prove_it(project: Daedal, model):
    model(Agent([*built("adding"), claim("CORE-001", TEST), say("Done.")]))
    assert deliver(project).code == 0
    receipts = project("receipts", "--json").json
    proof = next(receipt for receipt in receipts if receipt["kind"] == "deliverable")
    ran = next(receipt for receipt in receipts if receipt["hash"] == proof["body"]["commands"][0]["receipt"])
    assert ran["body"]["command"] == TEST
    assert ran["body"]["exit_code"] == 0
    assert len(proof["body"]["tree"]) == 64
    assert "chain is whole" in project("receipts", "verify").out
    kinds = [kind for (kind,) in project.rows("SELECT event_type FROM events WHERE event_type LIKE 'Deliverable%'")]
    assert kinds == ["DeliverableIntended", "DeliverableChanged"]
    connection = sqlite3.connect(project.database)
    connection.execute("UPDATE receipts SET body_json = replace(body_json, 'unittest', 'nothing')")
    connection.commit()
    connection.close()
    broken = project("receipts", "verify")
    assert broken.code == 1
    assert "is broken at number" in broken.err
