"""Can a guest's model get past our gate? By its tools, by scripts, by patches in disguise, by links and by reading."""

import json
import re
from pathlib import Path

import pytest

from tests.guests.dialects import Dialect
from tests.guests.patching import codex_reply
from tests.toolbox.model_server import Recorded, Reply, call, say
from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement

CODEX = ("--engine", "codex", "--model", "gpt-5.5")


@requirement("DX-11")
def test_a_guest_offers_its_model_only_what_we_know(guest: Dialect, model):
    server = model([say("Hello.")])
    assert guest.ask().code == 0
    own = {
        "codex": {"exec_command", "write_stdin", "apply_patch", "update_plan", "request_user_input"},
        "claude": {"Bash", "Edit", "Glob", "Grep", "NotebookEdit", "Read", "TodoWrite", "Write"}
        | {"WebFetch", "WebSearch"},
    }
    lent = {"Agent", "AskUserQuestion", "Skill"}
    assert guest.offered(server.requests[0]) == own[guest.name] | lent


@requirement("DX-11", "RX-10")
@pytest.mark.parametrize("path", [".git/hooks/pre-commit", ".claude/settings.json", ".mcp.json", "daedal.toml"])
def test_what_steers_an_agent_is_not_written_while_nobody_can_be_asked(guest: Dialect, model, path: str):
    (guest.daedal.workspace / ".git" / "hooks").mkdir(parents=True)
    model([guest.write(path, "evil\n"), guest.run(f"mkdir -p .claude; echo evil > {path}"), say("Done.")])
    assert guest.ask("--allow", "Bash", "--allow", "Write").code == 0
    assert not (guest.daedal.workspace / path).exists()


def test_a_link_that_leads_out_does_not_lead_a_change_out(guest: Dialect, model):
    outside = guest.daedal.root / "outside"
    outside.mkdir()
    (guest.daedal.workspace / "link").symlink_to(outside)
    model([guest.write("link/made.txt", "evil\n"), guest.run("echo evil > link/made.txt"), say("Done.")])
    assert guest.ask("--allow", "Write").code == 0
    assert list(outside.iterdir()) == []


def test_a_command_that_wants_out_of_the_walls_stays_in(guest: Dialect, model):
    wish = call("Bash", command="touch $HOME/out", dangerouslyDisableSandbox=True)
    if guest.name == "codex":
        wish = call(
            "exec_command",
            cmd="touch $HOME/out",
            login=False,
            sandbox_permissions="require_escalated",
            justification="please",
            prefix_rule=["touch"],
        )
    model([wish, guest.run("touch $HOME/out"), say("Done.")])
    assert guest.ask().code == 0
    assert not (guest.daedal.home / "out").exists()
    assert guest.verdicts()[0][1] == "deny"
    assert not list((guest.daedal.home / ".daedal" / "guests").rglob("*.rules"))


def test_keys_are_closed_to_what_claude_reads_and_searches(claude: Daedal, model):
    folder = claude.home / ".daedal"
    folder.mkdir()
    (folder / ".env").write_text("TAVILY_API_KEY=tvly-123456789\n")
    reads = [
        call("Read", file_path=str(folder / ".env")),
        call("Grep", pattern="TAVILY", path=str(folder), output_mode="content"),
        call("Grep", pattern="TAVILY", path=str(claude.home), output_mode="content", glob="**/.env"),
        call("Bash", command=f"cat {folder}/.env"),
    ]
    server = model([*reads, say("Done.")])
    assert (
        claude("exec", "Go.", "--engine", "claude", "--allow", "Read", "--allow", "Grep", "--allow", "Bash").code == 0
    )
    assert "tvly" not in json.dumps([request.json["messages"] for request in server.requests])


def test_claude_fetches_nothing_that_nobody_allowed(claude: Daedal, model):
    server = model([call("WebFetch", url="https://example.com/?leak=1", prompt="x"), say("Done.")])
    assert claude("exec", "Go.", "--engine", "claude").code == 0
    rows = claude.rows("SELECT tool_name, decision FROM tool_permission_log")
    assert rows == [("WebFetch", "deny")]
    assert len(server.requests) == 2


def script(text: str):
    """What newer models of Codex do everything with."""
    return codex_reply("call_script", "custom_tool_call", name="exec", namespace="functions", input=text)


@requirement("DX-11")
def test_each_call_of_a_script_is_judged_and_one_refusal_stops_only_itself(codex: Daedal, model):
    wanted = (
        'tools.exec_command({cmd: "touch forbidden"})',
        'tools.exec_command({cmd: "touch allowed"})',
        'tools.apply_patch("*** Begin Patch\\n*** Add File: secret/key.txt\\n+x\\n*** End Patch\\n")',
    )
    told = f"const r = await Promise.allSettled([{', '.join(wanted)}]); text(JSON.stringify(r));"
    server = model([script(told), say("Done."), say("Done.")])
    flags = ("--deny", "Bash(touch forbidden)", "--deny", "Write(secret/**)")
    done = codex("exec", "Go.", "--engine", "codex", *flags)
    assert (done.code, done.out.strip().splitlines()[-1]) == (0, "Done."), done.err
    assert (codex.workspace / "allowed").exists()
    assert not (codex.workspace / "forbidden").exists()
    assert not (codex.workspace / "secret").exists()
    assert "Permission denied by deny: Bash(touch forbidden)" in json.dumps(server.requests[-1].json["input"])
    decided = sorted(decision for (decision,) in codex.rows("SELECT decision FROM tool_permission_log"))
    assert decided == ["allow", "deny", "deny"]


def test_a_model_that_could_give_out_tasks_by_itself_cannot_here(codex: Daedal, model):
    spawn = codex_reply(
        "call_spawn",
        "function_call",
        name="spawn_agent",
        namespace="collaboration",
        arguments=json.dumps({"task_name": "x", "message": "touch made"}),
    )
    server = model([spawn, say("No."), say("No.")])
    assert codex("exec", "Go.", "--engine", "codex").code == 0
    assert '"name": "spawn_agent"' not in json.dumps(server.requests[0].json)
    assert codex.rows("SELECT count(*) FROM sessions") == [(1,)]
    assert not (codex.workspace / "made").exists()


def test_a_patch_that_is_dressed_up_as_a_command_is_judged_as_a_patch_or_does_nothing(codex: Daedal, model):
    text = "*** Begin Patch\n*** Add File: secret/key.txt\n+x\n*** End Patch"
    model([call("exec_command", cmd=f"apply_patch <<'EOF'\n{text}\nEOF", login=False), say("Done.")])
    assert codex("exec", "Go.", *CODEX, "--deny", "Write(secret/**)").code == 0
    assert not (codex.workspace / "secret").exists()


def test_a_shell_of_its_own_choice_is_no_shell_to_our_rules(codex: Daedal, model):
    evil: Path = codex.workspace / "bash"
    evil.write_text("#!/bin/sh\ntouch made\n")
    evil.chmod(0o755)
    model([call("exec_command", cmd="ls", shell=str(evil), login=False), say("Done.")])
    assert codex("exec", "Go.", *CODEX, "--allow", "Bash(ls:*)", "--deny", f"Bash({evil}:*)").code == 0
    assert not (codex.workspace / "made").exists()


def test_a_running_command_can_be_waited_for_but_not_be_typed_into(codex: Daedal, model):
    def reply(request: Recorded) -> Reply:
        found = re.search(r"session ID (\d+)", json.dumps(request.json["input"]))
        match request.depth:
            case 0:
                return call("exec_command", cmd="sleep 2; cat > typed; echo over", login=False, yield_time_ms=250)
            case 1 | 2 if found:
                typed = {"chars": "evil\n"} if request.depth == 1 else {}
                return call("write_stdin", session_id=int(found[1]), yield_time_ms=5000, **typed)
            case _:
                return say("Done.")

    server = model(reply)
    assert codex("exec", "Go.", *CODEX).code == 0
    told = json.dumps(server.requests[-1].json["input"])
    assert "session ID" in told
    assert "over" in told.rpartition("write_stdin")[2]
    assert (codex.workspace / "typed").read_text() == ""


def test_pictures_are_not_opened_and_nothing_is_typed_past_the_gate(codex: Daedal, model):
    (codex.workspace / "secret.png").write_bytes(b"xyzzy")
    tries = [
        call("view_image", path=str(codex.workspace / "secret.png")),
        call("exec_command", cmd="sleep 30", login=False, yield_time_ms=250),
        call("write_stdin", session_id=1, chars="touch made\n"),
    ]
    server = model([*tries, say("Done.")])
    assert codex("exec", "Go.", *CODEX).code == 0
    assert "eHl6enk" not in json.dumps([request.json for request in server.requests])
    assert not (codex.workspace / "made").exists()
