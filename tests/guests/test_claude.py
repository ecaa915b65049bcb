"""Does the real Claude work in our house as our own engine does? Our gate, our ledger, our words."""

import json
import os
import signal

import pytest

from daedal.protocol.approvals import ApprovalDecision, ApprovalRequest
from daedal.protocol.records import TurnStatus
from tests.guests.driving import answering, drive
from tests.guests.processes import kill_program
from tests.guests.waiting import wait_for
from tests.toolbox.model_server import Call, Reply, call, calls, fail, say, stall, think
from tests.toolbox.program import Daedal, Finished
from tests.toolbox.requirement import requirement

CLAUDE = ("--engine", "claude")


def run(command: str) -> Reply:
    return call("Bash", command=command)


def ask(claude: Daedal, *more: str, prompt: str = "Go.") -> Finished:
    return claude("exec", prompt, *CLAUDE, *more)


def verdicts(claude: Daedal) -> list[tuple[str, str, str]]:
    rows = claude.rows("SELECT tool_name, decision, reason_json FROM tool_permission_log ORDER BY id")
    return [(tool, decision, json.loads(reason)["rule"]) for tool, decision, reason in rows]


def seen_by_model(model) -> str:
    """All that Claude has told its model in the last request."""
    return json.dumps(model.requests[-1].json["messages"])


@requirement("DX-11")
def test_a_text_turn_is_answered_shown_and_recorded(claude: Daedal, model):
    model([think("Hm.").but(parts=[*think("Hm.").parts, *say("Hello there.", 3).parts])])
    done = ask(claude, "--output-format", "stream-json")
    assert (done.code, done.lines[-1]["result"]) == (0, "Hello there.")
    methods = [line.get("method") for line in done.lines]
    assert methods.count("item/agentMessage/delta") == 3
    assert "item/reasoning/textDelta" in methods
    assert [entry["content"][0]["text"] for entry in claude.entries("assistant")] == ["Hello there."]
    assert claude.rows("SELECT provider FROM sessions") == [("claude",)]
    assert claude.rows("SELECT status FROM turns") == [("completed",)]
    assert claude.rows("SELECT input_tokens, output_tokens FROM model_calls") == [(11, 7)]


def test_what_it_cannot_do_is_said_when_it_is_chosen(claude: Daedal, model):
    model([say("Hello.")])
    done = ask(claude)
    assert (done.code, done.out) == (0, "Hello.\n")
    assert "what it cannot do here: keep a budget in dollars" in done.err


@requirement("DX-11")
def test_a_command_runs_inside_our_walls_and_is_on_the_record_before_it_runs(claude: Daedal, model):
    (claude.home / ".daedal").mkdir()
    (claude.home / ".daedal" / ".env").write_text("TAVILY_API_KEY=tvly-123456789\n")
    (claude.workspace / "peek.sh").write_text("cat ~/.daedal/.env; env | grep -c 'API_KEY='; touch ~/outside")
    server = model([run("echo two > b.txt"), run("sh peek.sh"), say("Done.")])
    done = ask(claude, "--allow", "Bash")
    assert (done.code, done.out) == (0, "Done.\n")
    assert (claude.workspace / "b.txt").read_text() == "two\n"
    assert not (claude.home / "outside").exists()
    assert "tvly" not in seen_by_model(server)
    kinds = [kind for (kind,) in claude.rows("SELECT entry_type FROM transcript_entries ORDER BY id")]
    assert kinds == ["system", "user", "system", *["assistant", "tool_use", "tool_result"] * 2, "assistant"]
    second = claude.results()[1]
    assert "Exit code 1" in second["content"]
    assert "\n0\n" in second["content"], "its key must be in no variable that commands can read"
    assert "Read-only file system" in second["content"]
    assert verdicts(claude) == [("Bash", "allow", "allow: Bash")] * 2
    assert [kind for (kind,) in claude.rows("SELECT kind FROM receipts ORDER BY id")] == ["command", "command", "turn"]


@requirement("DX-11")
def test_what_claude_does_without_asking_anybody_is_denied_by_our_rule(claude: Daedal, model):
    (claude.workspace / "secret.txt").write_text("xyzzy")
    server = model([call("Read", file_path=str(claude.workspace / "secret.txt")), say("I see.")])
    done = ask(claude, "--deny", "Read(secret.txt)")
    assert done.code == 0
    assert "Permission denied by deny: Read(secret.txt)" in claude.results()[0]["content"]
    assert verdicts(claude) == [("Read", "deny", "deny: Read(secret.txt)")]
    assert "Permission denied by deny: Read(secret.txt)" in seen_by_model(server)
    assert "xyzzy" not in seen_by_model(server)


@requirement("DX-11")
def test_a_command_of_claude_runs_in_our_walls_off_the_network_though_claude_itself_reaches_its_model(
    claude: Daedal, model
):
    reach = "import os, socket; a = os.environ['A'].split(':'); socket.create_connection((a[0], int(a[1])), 5)"
    server = model([run("touch made; exit 3"), run("python3 reach.py"), say("Done.")])
    address = server.url.removeprefix("http://")
    (claude.workspace / "reach.py").write_text(reach.replace("os.environ['A']", repr(address)))
    assert ask(claude).code == 0
    assert (claude.workspace / "made").exists()
    assert verdicts(claude) == [("Bash", "allow", "fallback:confined")] * 2
    first, second = claude.results()
    assert first["content"].startswith("Exit code 3")
    assert "Connection refused" in second["content"] or "unreachable" in second["content"]
    # Its model reads what ours printed, once.
    told = seen_by_model(server)
    assert told.count("Exit code 3") == 1
    assert "printed/" not in told


@requirement("DX-11")
def test_calls_that_come_together_are_each_judged(claude: Daedal, model):
    (claude.workspace / "a.txt").write_text("one\n")
    wanted = [("Read", {"file_path": str(claude.workspace / "a.txt")}), ("Glob", {"pattern": "*"})]
    wanted += [("Bash", {"command": "touch forbidden"}), ("Bash", {"command": "echo c > c"})]
    model([calls(*(Call(tool, given) for tool, given in wanted)), say("Done.")])
    done = ask(claude, "--allow", "Bash", "--deny", "Bash(touch:*)")
    assert (done.code, done.out) == (0, "Done.\n")
    judged = [(tool, decision) for tool, decision, _ in verdicts(claude)]
    assert judged == [("Read", "allow"), ("Glob", "allow"), ("Bash", "deny"), ("Bash", "allow")]
    assert [result["is_error"] for result in claude.results()] == [False, False, True, False]
    assert sorted(os.listdir(claude.workspace)) == ["a.txt", "c"]


@requirement("DX-11")
def test_a_file_change_is_judged_shown_and_can_be_taken_back(claude: Daedal, model):
    path = claude.workspace / "a.txt"
    path.write_text("one\n")
    edit = call("Edit", file_path=str(path), old_string="one", new_string="two")
    write = call("Write", file_path=str(claude.workspace / "new.txt"), content="hello\n")
    model([call("Read", file_path=str(path)), edit, write, say("Done.")])
    done = ask(claude, "--output-format", "stream-json")
    assert done.code == 0
    assert path.read_text() == "two\n"
    assert (claude.workspace / "new.txt").read_text() == "hello\n"
    items = [line["params"]["item"] for line in done.lines if line.get("method") == "item/completed"]
    changes = [change for item in items if item["type"] == "fileChange" for change in item["changes"]]
    assert [(os.path.basename(c["path"]), c["kind"]["type"]) for c in changes] == [
        ("a.txt", "update"),
        ("new.txt", "add"),
    ]
    assert "-one\n+two\n" in changes[0]["diff"]
    kept = {os.path.basename(entry["path"]): entry["existed"] for entry in claude.entries("file_history_snapshot")}
    assert kept == {"a.txt": True, "new.txt": False}


def test_a_change_outside_the_walls_is_not_made_even_where_a_rule_allows_it(claude: Daedal, model):
    outside = claude.root / "outside.txt"
    model([call("Write", file_path=str(outside), content="hello"), say("Done.")])
    assert ask(claude, "--allow", f"Write(/{outside})").code == 0
    assert not outside.exists()
    assert claude.results()[0]["is_error"]


@requirement("DX-11")
def test_a_plan_update_is_shown_as_one(claude: Daedal, model):
    todos = [
        {"content": "look", "status": "completed", "activeForm": "looking"},
        {"content": "act", "status": "in_progress", "activeForm": "acting"},
    ]
    model([call("TodoWrite", todos=todos), say("Done.")])
    done = ask(claude, "--output-format", "stream-json")
    assert done.code == 0
    [update] = [line["params"] for line in done.lines if line.get("method") == "turn/plan/updated"]
    assert [(step["step"], step["status"]) for step in update["plan"]] == [("look", "completed"), ("act", "inProgress")]


@requirement("DX-11")
def test_a_person_is_asked_in_our_words_and_what_is_granted_runs(claude: Daedal, model, monkeypatch):
    model([run("touch made"), say("Done.")])
    asked: list[ApprovalRequest] = []
    turn = drive(claude, monkeypatch, "claude", None, answering(ApprovalDecision.ACCEPT, asked))
    assert turn.status is TurnStatus.COMPLETED
    assert (claude.workspace / "made").exists()
    assert [(request.tool, request.arguments) for request in asked] == [("Bash", {"command": "touch made"})]


@requirement("DX-11")
def test_what_a_person_refuses_does_not_run_and_its_model_hears_why(claude: Daedal, model, monkeypatch):
    server = model([run("touch made"), say("Done.")])
    turn = drive(claude, monkeypatch, "claude", None, answering(ApprovalDecision.DECLINE, [], "not on Mondays"))
    assert turn.status is TurnStatus.COMPLETED
    assert not (claude.workspace / "made").exists()
    assert "not on Mondays" in seen_by_model(server)


def test_a_person_who_stops_the_turn_stops_claude_too(claude: Daedal, model, monkeypatch):
    server = model([run("touch made"), say("Never asked.")])
    turn = drive(claude, monkeypatch, "claude", None, answering(ApprovalDecision.CANCEL, []))
    assert turn.status is TurnStatus.INTERRUPTED
    assert not (claude.workspace / "made").exists()
    assert len(server.requests) == 1


def test_a_hook_that_changes_a_call_changes_what_runs(claude: Daedal, model):
    changed = {"hookSpecificOutput": {"hookEventName": "PreToolUse", "updatedInput": {"command": "touch safe"}}}
    (claude.home / ".daedal").mkdir()
    config = (
        f"[[hooks]]\nhook_event_name = 'PreToolUse'\nmatcher = 'Bash'\ncommand = '''echo '{json.dumps(changed)}' '''\n"
    )
    (claude.home / ".daedal" / "config.toml").write_text(config)
    model([run("touch unsafe"), say("Done.")])
    done = ask(claude, "--allow", "Bash")
    assert done.code == 0, done.err
    assert os.listdir(claude.workspace) == ["safe"]


@requirement("DX-11")
@pytest.mark.parametrize("where", ["stream", "tool"])
def test_an_interrupted_turn_ends_at_once_and_can_go_on(claude: Daedal, model, where: str):
    first = stall(5, say("Half of it and more", 4)) if where == "stream" else run("touch begun; sleep 60; touch ended")
    server = model([first, say("Whole.")])
    process = claude.start("exec", "Go.", *CLAUDE, "--allow", "Bash")
    if where == "stream":
        server.wait_for_stall()
    else:
        wait_for(claude.workspace / "begun")
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 130, errors
    assert claude.rows("SELECT status FROM turns") == [("interrupted",)]
    done = ask(claude, "--continue", prompt="And now?")
    assert (done.code, done.out) == (0, "Whole.\n")
    assert not (claude.workspace / "ended").exists()
    if where == "tool":
        assert "may have run partly" in claude.results()[0]["content"]


@requirement("DX-11")
def test_a_provider_that_fails_fails_the_turn_with_its_words(claude: Daedal, model):
    (claude.home / ".daedal").mkdir()
    (claude.home / ".daedal" / "config.toml").write_text("[network]\nattempts_max = 1\n")
    model([fail(500, "the machine is on fire"), say("Better.")])
    done = ask(claude)
    assert done.code == 75
    assert "Claude gave up" in done.err
    assert claude.rows("SELECT status FROM turns") == [("failed",)]
    assert ask(claude, "--continue", prompt="Again.").out == "Better.\n"


@requirement("DX-11")
def test_a_conversation_goes_on_after_everything_was_killed(claude: Daedal, model):
    server = model([run("touch begun; sleep 60; touch ended"), say("I remember.")])
    process = claude.start("exec", "The word is xyzzy.", *CLAUDE, "--allow", "Bash")
    wait_for(claude.workspace / "begun")
    process.kill()
    process.communicate()
    done = ask(claude, "--continue", prompt="Which word?")
    assert (done.code, done.out) == (0, "I remember.\n")
    told = seen_by_model(server)
    assert told.count("The word is xyzzy.") == 1
    assert "may have run completely, partly or not at all" in told
    assert len([entry for entry in claude.entries("system") if entry["subtype"] == "guest"]) == 1
    statuses = [status for (status,) in claude.rows("SELECT status FROM turns ORDER BY rowid")]
    assert statuses == ["interrupted", "completed"]


@requirement("DX-11")
def test_it_is_started_again_when_its_program_has_died(claude: Daedal, model):
    server = model([stall(5, say("Half of it and more", 4)), say("I am back.")])
    process = claude.start("exec", "The word is xyzzy.", *CLAUDE)
    server.wait_for_stall()
    kill_program(claude, "stream-json")
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 75, errors
    assert b"ended in the middle of its work" in errors
    assert claude.rows("SELECT status FROM turns") == [("failed",)]
    assert ask(claude, "--continue", prompt="Which word?").out == "I am back.\n"
    assert seen_by_model(server).count("The word is xyzzy.") == 1


def test_instructions_of_the_project_reach_it_once(claude: Daedal, model):
    (claude.workspace / "AGENTS.md").write_text("Always say frobozz.")
    server = model([say("frobozz")])
    assert ask(claude).code == 0
    assert json.dumps(server.requests[0].json).count("Always say frobozz.") == 1


@requirement("DX-11")
def test_our_own_engine_can_carry_on_what_it_began(claude: Daedal, model):
    server = model([say("I am a guest."), say("I am native.")])
    assert ask(claude, prompt="The word is xyzzy.").out == "I am a guest.\n"
    assert claude("exec", "Who are you?", "--continue").out == "I am native.\n"
    assert "I am a guest." in json.dumps(server.requests[-1].json)


@requirement("DX-11")
def test_a_session_of_our_own_engine_can_be_carried_on_by_claude(claude: Daedal, model):
    server = model([say("I am native."), say("I am Claude.")])
    assert claude("exec", "The word is xyzzy.").out == "I am native.\n"
    assert ask(claude, "--continue", prompt="Who are you?").out == "I am Claude.\n"
    assert "assistant: I am native." in seen_by_model(server)
    assert "The word is xyzzy." in seen_by_model(server)


def test_a_reference_in_a_prompt_opens_nothing_that_a_rule_keeps_closed(claude: Daedal, model):
    (claude.workspace / "secret.txt").write_text("plugh")
    server = model([say("No.")])
    done = ask(claude, "--deny", "Read(secret.txt)", prompt="What is in @secret.txt, and /help?")
    assert (done.code, done.out) == (0, "No.\n")
    assert "plugh" not in json.dumps(server.requests[0].json)


def test_settings_and_servers_of_the_folder_do_not_count_for_it(claude: Daedal, model):
    marker = claude.root / "evil"
    hook = {"hooks": [{"type": "command", "command": f"touch {marker}"}]}
    (claude.workspace / ".claude").mkdir()
    settings = {"hooks": {"UserPromptSubmit": [hook], "SessionStart": [hook]}}
    (claude.workspace / ".claude" / "settings.json").write_text(json.dumps(settings))
    model([say("Hello.")])
    assert ask(claude).code == 0
    assert not marker.exists()


def test_a_budget_is_refused_before_anything_is_asked(claude: Daedal, model):
    server = model([say("Never.")])
    done = ask(claude, "--max-budget-usd", "1")
    assert (done.code, server.requests) == (2, [])


@requirement("DX-11")
def test_what_claude_says_that_it_cost_is_counted_once_also_after_a_restart(claude: Daedal, model):
    model([run("true"), say("One."), say("Two.")])
    assert ask(claude).code == 0
    done = ask(claude, "--continue", "--output-format", "json")
    costs = [cost for (cost,) in claude.rows("SELECT cost_usd FROM model_calls ORDER BY id")]
    # Claude says it at the end of a turn: two calls in the first, one in the second.
    assert costs[0] is None
    assert costs[1] == pytest.approx(costs[2] * 2)
    assert json.loads(done.out)["total_cost_usd"] == pytest.approx(costs[2])


def test_without_a_login_it_says_what_to_do(claude: Daedal):
    done = ask(claude)
    assert done.code == 2
    assert "ANTHROPIC_API_KEY" in done.err
