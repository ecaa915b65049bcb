"""What does another agent get from `daedal mcp serve`? Our tools, through the same gate and onto the same record."""

import asyncio
import json
import os
import signal
import subprocess
from itertools import repeat
from pathlib import Path

import httpx2
import pytest
from mcp import MCPError
from mcp_types import ImageContent

from tests.mcp.borrowing import Signal, answering, borrowing, run, shop, text
from tests.mcp.sdk_server import PNG
from tests.toolbox.program import DEADLINE_S, Daedal
from tests.toolbox.requirement import requirement

HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}},
}


def verdicts(daedal: Daedal) -> list[tuple[str, str, str]]:
    """Tool, decision and rule of every call, in order."""
    rows = daedal.rows("SELECT tool_name, decision, reason_json FROM tool_permission_log ORDER BY id")
    return [(tool, decision, json.loads(reason)["rule"]) for tool, decision, reason in rows]


def running_in(folder: Path) -> list[str]:
    """What still runs there, but for ourselves."""
    found: list[str] = []
    for name in filter(str.isdecimal, os.listdir("/proc")):
        try:
            if os.readlink(f"/proc/{name}/cwd") == str(folder.resolve()):
                found.append(Path(f"/proc/{name}/cmdline").read_text())
        except OSError:
            continue
    return [command for command in found if "mcp" not in command]


@requirement("DX-13")
def test_another_agent_reads_and_writes_within_the_walls_and_all_of_it_is_on_the_record(daedal: Daedal, tmp_path: Path):
    (daedal.workspace / "a.txt").write_text("alpha\n")
    (daedal.workspace / "dot.png").write_bytes(PNG)

    async def scenario(errors: object) -> None:
        async with borrowing(daedal, errors=errors) as agent:
            tools = {tool.name: tool for tool in (await agent.list_tools()).tools}
            assert list(tools) == [
                *["Read", "Write", "Edit", "NotebookEdit", "Move", "Bash", "Glob", "Grep"],
                *["WebFetch", "WebSearch", "TaskOutput", "TaskStop"],
            ]
            assert tools["Read"].annotations.read_only_hint
            assert tools["Bash"].annotations.destructive_hint
            assert not tools["Bash"].annotations.read_only_hint
            assert tools["Bash"].input_schema["required"] == ["command"]
            assert "alpha" in text(await agent.call_tool("Read", {"file_path": "a.txt"}))
            edited = await agent.call_tool("Edit", {"file_path": "a.txt", "old_string": "alpha", "new_string": "beta"})
            assert not edited.is_error
            moved = await agent.call_tool("Bash", {"command": "mkdir inner && cd inner && cat ../a.txt"})
            assert text(moved).strip() == "beta"
            assert text(await agent.call_tool("Bash", {"command": "basename $PWD"})).strip() == "inner"
            seen = await agent.call_tool("Read", {"file_path": str(daedal.workspace / "dot.png")})
            (picture,) = [block for block in seen.content if isinstance(block, ImageContent)]
            assert picture.mime_type == "image/png"

    with (tmp_path / "errors").open("w+") as errors:
        run(scenario(errors))
        errors.seek(0)
        assert errors.read() == ""
    assert (daedal.workspace / "a.txt").read_text() == "beta\n"
    assert verdicts(daedal) == [
        ("Read", "allow", "baseline:read"),
        ("Edit", "allow", "fallback:confined"),
        ("Bash", "allow", "fallback:confined"),
        ("Bash", "allow", "fallback:confined"),
        ("Read", "allow", "baseline:read"),
    ]
    assert daedal.rows("SELECT count(*) FROM sessions") == [(1,)]
    assert daedal.rows("SELECT DISTINCT status FROM turns") == [("completed",)]
    ((principal,),) = daedal.rows("SELECT DISTINCT principal FROM tool_permission_log")
    assert principal.startswith("person:")
    # Nobody holds the session any more.
    again = daedal("--eval", '{"tool":"Glob","input":{"pattern":"*"}}', "--resume", daedal.session)
    assert again.code == 0, again.err


@requirement("DX-13")
def test_a_rule_that_denies_holds_for_other_agents_too(daedal: Daedal):
    async def scenario() -> None:
        async with borrowing(daedal, "--deny", "Bash(touch:*)", "--approval", "yolo") as agent:
            refused = await agent.call_tool("Bash", {"command": "touch made"})
            assert refused.is_error
            assert "Bash(touch:*)" in text(refused)
            with pytest.raises(MCPError, match="Unknown tool: Agent"):
                await agent.call_tool("Agent", {"prompt": "do it for me"})

    run(scenario())
    assert not (daedal.workspace / "made").exists()
    assert verdicts(daedal) == [("Bash", "deny", "deny: Bash(touch:*)")]


@requirement("DX-13")
def test_what_needs_a_person_is_refused_where_nobody_can_be_asked(daedal: Daedal):
    async def scenario() -> None:
        async with borrowing(daedal, "--no-sandbox", "--tools", "Bash,history") as agent:
            assert [tool.name for tool in (await agent.list_tools()).tools] == ["Bash", "history"]
            refused = await agent.call_tool("Bash", {"command": "touch made"})
            assert refused.is_error
            assert "nobody was there to be asked" in text(refused)

    run(scenario())
    assert not (daedal.workspace / "made").exists()


@requirement("DX-13")
def test_the_person_at_the_other_end_is_asked_where_the_agent_can_show_a_form(daedal: Daedal):
    answers = {"decline": False, "cancel": False, "accept": True}
    questions: list[str] = []

    async def scenario() -> None:
        async with borrowing(daedal, elicitation_callback=answering(iter(answers), questions)) as agent:
            for action, is_made in answers.items():
                result = await agent.call_tool("Bash", {"command": f"touch {action}"})
                assert result.is_error is not is_made

    run(scenario())
    decided = daedal.rows("SELECT decision, reason_json FROM tool_permission_log ORDER BY id")
    for (action, is_made), question, (decision, reason) in zip(answers.items(), questions, decided, strict=True):
        assert f"touch {action}" in question
        assert "rule:" in question
        assert (daedal.workspace / action).exists() is is_made
        assert decision == ("allow" if is_made else "deny")
        assert json.loads(reason)["asked"]
        assert not json.loads(reason)["by_default"]


@requirement("DX-13")
def test_with_approval_never_no_agent_can_answer_for_itself(daedal: Daedal, tmp_path: Path):
    questions: list[str] = []
    outside, temporary = tmp_path / "outside", tmp_path / "temporary"
    outside.mkdir()
    temporary.mkdir()
    daedal.env["TMPDIR"] = str(temporary)

    async def scenario() -> None:
        words = ["--approval", "never", "--allow", "Bash(touch:*)"]
        async with borrowing(daedal, *words, elicitation_callback=answering(repeat("accept"), questions)) as agent:
            for command in ({"command": "mkdir made"}, {"command": "touch made", "dangerouslyDisableSandbox": True}):
                assert (await agent.call_tool("Bash", command)).is_error
            assert (await agent.call_tool("Bash", {"command": f"touch {outside}/made"})).is_error

    run(scenario())
    assert questions == []
    assert not (daedal.workspace / "made").exists()
    assert not (outside / "made").exists()


@requirement("DX-13")
@pytest.mark.parametrize("transport", ["stdio", "http"])
def test_a_call_that_nobody_wants_any_more_ends_and_the_next_one_is_made(daedal: Daedal, transport: str):
    started = Signal(daedal.workspace)

    async def scenario(opened) -> None:
        async with opened as agent:
            asking = agent.call_tool("Bash", {"command": "echo > started; sleep 600; touch made"})
            call = asyncio.create_task(asking)
            await asyncio.to_thread(started.wait)
            call.cancel()
            with pytest.raises(asyncio.CancelledError):
                await call
            assert text(await agent.call_tool("Bash", {"command": "echo next"})).strip() == "next"
            assert running_in(daedal.workspace) == []

    if transport == "stdio":
        run(scenario(borrowing(daedal)))
    else:
        with shop(daedal) as there:
            run(scenario(there.borrowing()))
    assert [result["is_error"] for result in daedal.results()] == [True, False]
    assert daedal.rows("SELECT status FROM turns ORDER BY rowid") == [("interrupted",), ("completed",)]


@requirement("DX-13")
@pytest.mark.parametrize("ending", ["end of input", "SIGTERM"])
def test_an_agent_that_leaves_in_the_middle_of_a_call_leaves_nothing_running(daedal: Daedal, ending: str):
    started = Signal(daedal.workspace)
    process = subprocess.Popen(
        [*daedal.program, "mcp", "serve"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=daedal.workspace,
        env=daedal.environment(),
    )
    assert process.stdin is not None
    command = {"command": "echo > started; sleep 600"}
    call = {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "Bash", "arguments": command}}
    for message in (HELLO, {"jsonrpc": "2.0", "method": "notifications/initialized"}, call):
        process.stdin.write(json.dumps(message).encode() + b"\n")
    process.stdin.flush()
    started.wait()
    if ending == "SIGTERM":
        process.send_signal(signal.SIGTERM)
        process.wait(DEADLINE_S)
    out, err = process.communicate(timeout=DEADLINE_S)
    assert (process.returncode, err) == (0, b"")
    assert json.loads(out.splitlines()[0])["id"] == 1
    assert running_in(daedal.workspace) == []
    assert daedal.rows("SELECT status FROM turns") == [("interrupted",)]


@requirement("DX-13")
def test_over_http_each_agent_has_a_session_of_its_own(daedal: Daedal):
    questions: list[str] = []

    async def scenario(there) -> None:
        async with (
            there.borrowing() as one,
            there.borrowing(elicitation_callback=answering(repeat("accept"), questions)) as other,
        ):
            await one.call_tool("Bash", {"command": "mkdir inner && cd inner"})
            assert text(await one.call_tool("Bash", {"command": "basename $PWD"})).strip() == "inner"
            assert not questions
            elsewhere = await other.call_tool("Bash", {"command": "basename $PWD"})
            assert text(elsewhere).strip() == daedal.workspace.name
            assert len(questions) == 1
        # Who has said goodbye has let go of the session, while the server goes on.
        (session,) = daedal.rows("SELECT session_id FROM sessions ORDER BY rowid LIMIT 1")[0]
        again = daedal("--eval", '{"tool":"Glob","input":{"pattern":"*"}}', "--resume", session)
        assert again.code == 0, again.err

    with shop(daedal) as there:
        run(scenario(there))
    assert daedal.rows("SELECT count(*) FROM sessions") == [(2,)]


@requirement("DX-13")
def test_over_http_nobody_comes_in_without_the_token_or_from_a_page(daedal: Daedal, tmp_path: Path):
    file = tmp_path / "token"
    with shop(daedal, "--token-file", str(file)) as there:
        token = file.read_text().strip()
        assert file.stat().st_mode & 0o777 == 0o600
        right = {"Authorization": f"Bearer {token}", "Accept": "application/json, text/event-stream"}
        with httpx2.Client(trust_env=False) as http:

            def status(path: str = "/mcp", **headers: str | None) -> int:
                said = {name: value for name, value in {**right, **headers}.items() if value is not None}
                return http.post(there.url.removesuffix("/mcp") + path, json=HELLO, headers=said).status_code

            assert status(Authorization=None) == 401
            assert status(Authorization=f"Bearer {token[:-1]}") == 401
            assert status(Authorization=f"Basic {token}") == 401
            assert status(Origin="https://example.com") == 403
            assert status(Origin="http://localhost:1") == 403
            assert status(Host="example.com") == 421
            assert status(path="/") == 404
            assert status(**{"Mcp-Session-Id": "made-up"}) == 404
            assert status(**{"Mcp-Protocol-Version": "2026-07-28"}) == 400
            assert status() == 200
    assert not daedal.rows("SELECT * FROM sessions")


def test_what_cannot_be_lent_or_served_is_said_at_once(daedal: Daedal, tmp_path: Path):
    known = tmp_path / "known"
    known.write_text("x" * 40)
    known.chmod(0o644)
    for words, sentence in (
        (["--http", "0.0.0.0:0"], "is not this machine alone"),
        (["--http", "0", "--token-file", str(known)], "others can read the token"),
        (["--tools", "Raed"], "there is no tool 'Raed'"),
        (["--allow", "Bash(("], "is no permission rule"),
    ):
        refused = daedal("mcp", "serve", *words)
        assert (refused.code, refused.out) == (2, ""), words
        assert sentence in refused.err
        assert "Traceback" not in refused.err
