"""Does the real Codex work in our house as our own engine does? Our gate, our ledger, our words."""

import json
import os
import signal

import pytest

from daedal.protocol.approvals import ApprovalDecision, ApprovalRequest
from daedal.protocol.records import TurnStatus
from tests.guests.driving import answering, drive
from tests.guests.patching import patch
from tests.guests.processes import kill_program
from tests.guests.waiting import wait_for
from tests.toolbox.model_server import Call, Reply, call, calls, fail, say, stall, think
from tests.toolbox.program import Daedal, Finished
from tests.toolbox.requirement import requirement

MODEL = "gpt-5.5"
CODEX = ("--engine", "codex", "--model", MODEL)


def run(command: str, **more: object) -> Reply:
    return call("exec_command", cmd=command, login=False, **more)


def ask(codex: Daedal, *more: str, prompt: str = "Go.") -> Finished:
    return codex("exec", prompt, *CODEX, *more)


def verdicts(codex: Daedal) -> list[tuple[str, str, str]]:
    rows = codex.rows("SELECT tool_name, decision, reason_json FROM tool_permission_log ORDER BY id")
    return [(tool, decision, json.loads(reason)["rule"]) for tool, decision, reason in rows]


def seen_by_model(model) -> str:
    """All that Codex has told its model in the last request."""
    return json.dumps(model.requests[-1].json["input"])


@requirement("DX-11")
def test_a_text_turn_is_answered_shown_and_recorded(codex: Daedal, model):
    model([think("Hm.").but(parts=[*think("Hm.").parts, *say("Hello there.", 3).parts])])
    done = ask(codex, "--output-format", "stream-json")
    assert (done.code, done.lines[-1]["result"]) == (0, "Hello there.")
    methods = [line.get("method") for line in done.lines]
    assert methods.count("item/agentMessage/delta") == 3
    assert "item/reasoning/textDelta" in methods
    assert [entry["content"][0]["text"] for entry in codex.entries("assistant")] == ["Hello there."]
    assert codex.rows("SELECT provider, model_id FROM sessions") == [("codex", MODEL)]
    assert codex.rows("SELECT status FROM turns") == [("completed",)]
    assert codex.rows("SELECT input_tokens, output_tokens FROM model_calls") == [(11, 7)]


def test_what_it_cannot_do_is_said_when_it_is_chosen(codex: Daedal, model):
    model([say("Hello.")])
    done = ask(codex)
    assert (done.code, done.out) == (0, "Hello.\n")
    assert "what it cannot do here: keep a budget in dollars" in done.err


@requirement("DX-11")
def test_a_command_runs_inside_its_walls_and_is_on_the_record_before_it_runs(codex: Daedal, model):
    model([run("cat a.txt; echo two > b.txt"), run("touch $HOME/outside"), say("Done.")])
    (codex.workspace / "a.txt").write_text("one\n")
    done = ask(codex)
    assert (done.code, done.out) == (0, "Done.\n")
    assert (codex.workspace / "b.txt").read_text() == "two\n"
    assert not (codex.home / "outside").exists()
    kinds = [kind for (kind,) in codex.rows("SELECT entry_type FROM transcript_entries ORDER BY id")]
    assert kinds == ["system", "user", "system", *["assistant", "tool_use", "tool_result"] * 2, "assistant"]
    first, second = codex.results()
    assert (first["content"], first["is_error"]) == ("one\n", False)
    assert "Exit code 1" in second["content"]
    assert "Read-only file system" in second["content"]
    assert verdicts(codex) == [("Bash", "allow", "fallback:confined")] * 2
    kinds = [kind for (kind,) in codex.rows("SELECT kind FROM receipts ORDER BY id")]
    assert kinds == ["command", "command", "turn"]


@requirement("DX-11")
def test_a_command_that_codex_runs_by_itself_is_denied_by_our_rule(codex: Daedal, model):
    server = model([run("ls"), say("I see.")])
    done = ask(codex, "--deny", "Bash(ls:*)")
    assert done.code == 0
    [result] = codex.results()
    assert result["is_error"]
    assert "Permission denied by deny: Bash(ls:*)" in result["content"]
    assert verdicts(codex) == [("Bash", "deny", "deny: Bash(ls:*)")]
    # Its model learns why, not only that.
    assert "Permission denied by deny: Bash(ls:*)" in seen_by_model(server)
    assert "rejected by user" in seen_by_model(server)


def test_keys_and_the_ledger_are_closed_to_its_commands_and_its_key_is_not_in_their_environment(codex: Daedal, model):
    (codex.home / ".daedal").mkdir()
    (codex.home / ".daedal" / ".env").write_text("TAVILY_API_KEY=tvly-123456789\n")
    (codex.workspace / "peek.sh").write_text("cat ~/.daedal/.env; env | grep -c API_KEY")
    server = model([run("sh peek.sh"), say("Done.")])
    assert ask(codex).code == 0
    assert "Permission denied" in codex.results()[0]["content"]
    assert codex.results()[0]["content"].endswith("\n0\n")
    assert "tvly" not in seen_by_model(server)


@requirement("DX-11")
def test_calls_that_come_together_are_judged_in_their_order_and_one_refusal_stops_only_itself(codex: Daedal, model):
    wanted = ["echo a > a", "touch forbidden", "echo c > c"]
    model([calls(*(Call("exec_command", {"cmd": each, "login": False}) for each in wanted)), say("Done.")])
    done = ask(codex, "--deny", "Bash(touch:*)")
    assert done.code == 0
    assert [decision for _, decision, _ in verdicts(codex)] == ["allow", "deny", "allow"]
    assert [result["is_error"] for result in codex.results()] == [False, True, False]
    assert sorted(os.listdir(codex.workspace))[-2:] == ["a", "c"]
    assert not (codex.workspace / "forbidden").exists()


@requirement("DX-11")
def test_a_file_change_is_judged_shown_and_can_be_taken_back(codex: Daedal, model):
    (codex.workspace / "a.txt").write_text("one\n")
    (codex.workspace / "gone.txt").write_text("bye\n")
    lines = ["*** Update File: a.txt", "@@", "-one", "+two", "*** Add File: new.txt", "+hello"]
    model([patch("call_1", *lines, "*** Delete File: gone.txt"), say("Done.")])
    done = ask(codex, "--output-format", "stream-json")
    assert done.code == 0
    assert (codex.workspace / "a.txt").read_text() == "two\n"
    assert (codex.workspace / "new.txt").read_text() == "hello\n"
    changed = [line["params"]["item"] for line in done.lines if line.get("method") == "item/completed"]
    [item] = [item for item in changed if item["type"] == "fileChange"]
    assert sorted((os.path.basename(c["path"]), c["kind"]["type"]) for c in item["changes"]) == [
        ("a.txt", "update"),
        ("gone.txt", "delete"),
        ("new.txt", "add"),
    ]
    kept = {os.path.basename(entry["path"]): entry["existed"] for entry in codex.entries("file_history_snapshot")}
    assert kept == {"a.txt": True, "gone.txt": True, "new.txt": False}
    assert codex.rows("SELECT cache_read_tokens, reasoning_tokens FROM model_calls ORDER BY id LIMIT 1") == [(4, 2)]


def test_every_file_of_a_patch_is_judged_by_the_rules_for_what_happens_to_it(codex: Daedal, model):
    (codex.workspace / "a.txt").write_text("one\n")
    lines = ["*** Update File: a.txt", "@@", "-one", "+two", "*** Add File: secret/key.txt", "+hello"]
    model([patch("call_1", *lines), say("Done.")])
    assert ask(codex, "--deny", "Write(secret/**)").code == 0
    assert (codex.workspace / "a.txt").read_text() == "one\n"
    assert not (codex.workspace / "secret").exists()
    assert [(decision, rule) for _, decision, rule in verdicts(codex)] == [("deny", "deny: Write(secret/**)")]


def test_a_patch_outside_the_walls_is_not_applied_even_where_a_rule_allows_it(codex: Daedal, model):
    outside = codex.root / "outside.txt"
    model([patch("call_1", f"*** Add File: {outside}", "+hello"), say("Done.")])
    assert ask(codex, "--allow", f"Write(/{outside})").code == 0
    assert not outside.exists()
    assert codex.results()[0]["is_error"]


@requirement("DX-11")
def test_a_plan_update_is_shown_as_one(codex: Daedal, model):
    plan = [{"step": "look", "status": "completed"}, {"step": "act", "status": "in_progress"}]
    model([call("update_plan", plan=plan), say("Done.")])
    done = ask(codex, "--output-format", "stream-json")
    assert done.code == 0
    [update] = [line["params"] for line in done.lines if line.get("method") == "turn/plan/updated"]
    assert [(step["step"], step["status"]) for step in update["plan"]] == [("look", "completed"), ("act", "inProgress")]


@requirement("DX-11")
def test_a_person_is_asked_in_our_words_and_what_is_granted_runs(codex: Daedal, model, monkeypatch):
    model([run("touch made"), say("Done.")])
    asked: list[ApprovalRequest] = []
    turn = drive(codex, monkeypatch, "codex", MODEL, answering(ApprovalDecision.ACCEPT, asked))
    assert turn.status is TurnStatus.COMPLETED
    assert (codex.workspace / "made").exists()
    assert [(request.tool, request.arguments) for request in asked] == [("Bash", {"command": "touch made"})]


@requirement("DX-11")
def test_what_a_person_refuses_does_not_run_and_its_model_hears_why(codex: Daedal, model, monkeypatch):
    server = model([run("touch made"), say("Done.")])
    asked: list[ApprovalRequest] = []
    turn = drive(codex, monkeypatch, "codex", MODEL, answering(ApprovalDecision.DECLINE, asked, "not on Mondays"))
    assert turn.status is TurnStatus.COMPLETED
    assert not (codex.workspace / "made").exists()
    assert "not on Mondays" in seen_by_model(server)


def test_a_person_who_stops_the_turn_stops_codex_too(codex: Daedal, model, monkeypatch):
    server = model([run("touch made"), say("Never asked.")])
    turn = drive(codex, monkeypatch, "codex", MODEL, answering(ApprovalDecision.CANCEL, []))
    assert turn.status is TurnStatus.INTERRUPTED
    assert not (codex.workspace / "made").exists()
    assert len(server.requests) == 1


def test_leaving_the_sandbox_is_for_a_person_to_allow(codex: Daedal, model):
    wish = {"sandbox_permissions": "require_escalated", "justification": "I want to"}
    model([run("touch $HOME/outside", **wish), say("Done.")])
    assert ask(codex).code == 0
    assert not (codex.home / "outside").exists()
    assert [(decision, rule) for _, decision, rule in verdicts(codex)] == [("deny", "sandbox:escape")]


@requirement("DX-11")
@pytest.mark.parametrize("where", ["stream", "tool"])
def test_an_interrupted_turn_ends_at_once_and_can_go_on(codex: Daedal, model, where: str):
    first = stall(5, say("Half of it and more", 4)) if where == "stream" else run("touch begun; sleep 60; touch ended")
    server = model([first, say("Whole.")])
    process = codex.start("exec", "Go.", *CODEX)
    if where == "stream":
        server.wait_for_stall()
    else:
        wait_for(codex.workspace / "begun")
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 130, errors
    assert codex.rows("SELECT status FROM turns") == [("interrupted",)]
    done = ask(codex, "--continue", prompt="And now?")
    assert (done.code, done.out) == (0, "Whole.\n")
    assert not (codex.workspace / "ended").exists()
    if where == "tool":
        assert "may have run partly" in codex.results()[0]["content"]


@requirement("DX-11")
def test_a_provider_that_fails_fails_the_turn_with_its_words(codex: Daedal, model):
    (codex.home / ".daedal").mkdir()
    (codex.home / ".daedal" / "config.toml").write_text("[network]\nattempts_max = 1\n")
    model([fail(500, "the machine is on fire"), say("Better.")])
    done = ask(codex)
    assert done.code == 75
    assert "Codex gave up" in done.err
    assert codex.rows("SELECT status FROM turns") == [("failed",)]
    assert ask(codex, "--continue", prompt="Again.").out == "Better.\n"


@requirement("DX-11")
def test_a_conversation_goes_on_after_everything_was_killed(codex: Daedal, model):
    server = model([run("touch begun; sleep 60; touch ended"), say("I remember.")])
    process = codex.start("exec", "The word is xyzzy.", *CODEX)
    wait_for(codex.workspace / "begun")
    process.kill()
    process.communicate()
    done = ask(codex, "--continue", prompt="Which word?")
    assert (done.code, done.out) == (0, "I remember.\n")
    told = seen_by_model(server)
    assert told.count("The word is xyzzy.") == 1
    assert "may have run completely, partly or not at all" in told
    guests = [entry for entry in codex.entries("system") if entry["subtype"] == "guest"]
    assert len(guests) == 1
    assert [status for (status,) in codex.rows("SELECT status FROM turns ORDER BY rowid")] == [
        "interrupted",
        "completed",
    ]


@requirement("DX-11")
def test_it_is_started_again_when_its_program_has_died(codex: Daedal, model):
    server = model([stall(5, say("Half of it and more", 4)), say("I am back.")])
    process = codex.start("exec", "The word is xyzzy.", *CODEX)
    server.wait_for_stall()
    kill_program(codex, "app-server")
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 75, errors
    assert b"ended in the middle of its work" in errors
    assert codex.rows("SELECT status FROM turns") == [("failed",)]
    assert ask(codex, "--continue", prompt="Which word?").out == "I am back.\n"
    assert seen_by_model(server).count("The word is xyzzy.") == 1


def test_instructions_of_the_project_reach_it_once(codex: Daedal, model):
    (codex.workspace / "AGENTS.md").write_text("Always say frobozz.")
    server = model([say("frobozz")])
    assert ask(codex).code == 0
    assert json.dumps(server.requests[0].json).count("Always say frobozz.") == 1


@requirement("DX-11")
def test_our_own_engine_can_carry_on_what_it_began(codex: Daedal, model):
    server = model([say("I am a guest."), say("I am native.")])
    assert ask(codex, prompt="The word is xyzzy.").out == "I am a guest.\n"
    assert codex("exec", "Who are you?", "--continue").out == "I am native.\n"
    assert "I am a guest." in json.dumps(server.requests[-1].json)


@requirement("DX-11")
def test_a_session_of_our_own_engine_can_be_carried_on_by_codex(codex: Daedal, model):
    server = model([say("I am native."), say("I am Codex.")])
    assert codex("exec", "The word is xyzzy.").out == "I am native.\n"
    assert ask(codex, "--continue", prompt="Who are you?").out == "I am Codex.\n"
    assert "assistant: I am native." in seen_by_model(server)
    assert "The word is xyzzy." in seen_by_model(server)


def test_nothing_can_be_typed_into_a_running_shell_past_the_gate(codex: Daedal, model):
    server = model([run("sh", tty=True), run("cat; touch after"), say("Done.")])
    done = ask(codex)
    assert (done.code, done.out) == (0, "Done.\n")
    assert "TTY execution is disabled" in seen_by_model(server)
    assert (codex.workspace / "after").exists(), "a command reads nothing but the end of its input"


def test_settings_of_the_folder_do_not_count_for_it(codex: Daedal, model):
    (codex.workspace / ".codex").mkdir()
    marker = codex.root / "evil"
    settings = f'[mcp_servers.evil]\ncommand = "touch"\nargs = ["{marker}"]\n'
    (codex.workspace / ".codex" / "config.toml").write_text(settings)
    model([say("Hello.")])
    assert ask(codex).code == 0
    assert not marker.exists()


def test_a_machine_without_codex_or_a_login_is_told_what_to_do(daedal: Daedal):
    done = daedal("exec", "Go.", *CODEX, PATH="/usr/bin:/bin")
    assert done.code == 2
    assert "npm install -g @openai/codex" in done.err


def test_a_hook_that_changes_a_call_stops_it_since_codex_cannot_run_a_changed_one(codex: Daedal, model):
    changed = {"hookSpecificOutput": {"hookEventName": "PreToolUse", "updatedInput": {"command": "touch safe"}}}
    (codex.home / ".daedal").mkdir()
    config = (
        f"[[hooks]]\nhook_event_name = 'PreToolUse'\nmatcher = 'Bash'\ncommand = '''echo '{json.dumps(changed)}' '''\n"
    )
    (codex.home / ".daedal" / "config.toml").write_text(config)
    model([run("touch unsafe"), say("Done.")])
    assert ask(codex).code == 0
    assert verdicts(codex) == [("Bash", "deny", "guest:unchangeable")]
    assert not (codex.workspace / "unsafe").exists()


def test_a_budget_is_refused_before_anything_is_asked(codex: Daedal, model):
    server = model([say("Never.")])
    done = ask(codex, "--max-budget-usd", "1")
    assert (done.code, server.requests) == (2, [])


@requirement("DX-11")
def test_what_it_cost_is_known_where_the_price_of_its_model_is(codex: Daedal, model):
    model([run("true"), say("Done.")])
    assert codex("exec", "Go.", "--engine", "codex", "--model", "o3").code == 0
    costs = [cost for (cost,) in codex.rows("SELECT cost_usd FROM model_calls")]
    assert costs == pytest.approx([(11 * 2 + 7 * 8) / 1e6] * 2)


def test_the_number_of_steps_is_limited_as_ever(codex: Daedal, model):
    server = model([run("echo 1"), run("echo 2"), run("echo 3"), say("Never.")])
    assert ask(codex, "--max-turns", "2").code == 53
    assert len(server.requests) <= 3
