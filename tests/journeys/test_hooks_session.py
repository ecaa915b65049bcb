"""What can a script do about a session? Greet it, add to it, watch files for it, refuse prompts, and see it end."""

import asyncio
import json
from collections.abc import Callable

import pytest

from daedal.app import HouseOptions, open_house
from daedal.client import CallFailed, Client
from daedal.protocol.approvals import ApprovalDecision
from daedal.protocol.events import TurnCompleted
from daedal.protocol.items import UserInput
from daedal.protocol.threads import ThreadStartParams
from daedal.protocol.turns import TurnStartParams
from daedal.protocol.wire import Notification
from tests.journeys.test_approvals import answering
from tests.journeys.test_hooks import TOUCH, heard, listening, outcomes, runs, saying, told, with_hooks
from tests.toolbox.model_server import Recorded, call, say
from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement

UNTIL_NOTICED = "i=0; until [ -e noticed ] || [ $i -gt 500 ]; do sleep 0.02; i=$((i + 1)); done"
Step = str | Callable[[], object]
"""A prompt, or something that happens between two."""


def converse(daedal: Daedal, monkeypatch: pytest.MonkeyPatch, *steps: Step) -> list[str]:
    """Turns of one session by a client in this process. Returns how each ended: its status, or why it did not begin."""
    for name, value in daedal.environment().items():
        monkeypatch.setenv(name, value)
    ended: list[str] = []

    async def talk() -> None:
        over: asyncio.Queue[str] = asyncio.Queue()

        def see(notification: Notification) -> None:
            if isinstance(notification.params, TurnCompleted):
                over.put_nowait(notification.params.turn.status)

        async def run(client: Client) -> None:
            thread = (await client.call("thread/start", ThreadStartParams(cwd=str(daedal.workspace)))).thread
            for step in steps:
                if not isinstance(step, str):
                    step()
                    continue
                try:
                    await client.call("turn/start", TurnStartParams(thread_id=thread.id, input=[UserInput(step)]))
                    ended.append(await over.get())
                except CallFailed as refusal:
                    ended.append(str(refusal))

        house = HouseOptions(cwd=str(daedal.workspace))
        no = answering(ApprovalDecision.DECLINE, [])
        async with open_house(house, on_event=see, on_request=no, on_warning=print) as client:
            await asyncio.wait_for(run(client), 60)

    asyncio.run(talk())
    return ended


def first_prompt(request: Recorded) -> list[str]:
    return [block["text"] for block in request.json["messages"][0]["content"]]


@requirement("SD-09", "SD-14")
def test_a_session_is_greeted_and_its_hooks_add_context_and_the_first_words(daedal: Daedal, model):
    adds = saying("SessionStart", additionalContext="it is Friday", initialUserMessage="Read the guide first.")
    with_hooks(daedal, ("SessionStart", listening(daedal, then=adds)), ("SessionStart", "echo plain words"))
    server = model([say("Hello."), say("Again.")])
    assert daedal("exec", "Go.").code == 0
    (stdin,) = heard(daedal)
    assert stdin["source"] == "startup"
    assert stdin["model"] == server.requests[0].json["model"]
    assert first_prompt(server.requests[0]) == ["Read the guide first.\n\nGo.", "it is Friday", "plain words"]
    (entry,) = daedal.entries("user")
    assert [block["text"] for block in entry["content"]] == first_prompt(server.requests[0])
    with_hooks(daedal, ("SessionStart", listening(daedal), {"matcher": "resume"}))
    daedal("exec", "Again.", "-r", daedal.session)
    assert [stdin["source"] for stdin in heard(daedal)] == ["startup", "resume"]
    assert first_prompt(server.requests[1]) == first_prompt(server.requests[0])


@requirement("SD-09", "SD-14")
@pytest.mark.parametrize(("flag", "trigger"), [("--init", "init"), ("--maintenance", "maintenance")])
def test_a_setup_is_told_once_and_adds_context(daedal: Daedal, model, flag: str, trigger: str):
    adds = saying("Setup", additionalContext="the tools are installed")
    with_hooks(daedal, ("Setup", listening(daedal, then=adds)), ("SessionStart", "true"))
    server = model([say("Hello."), say("Hello.")])
    daedal("exec", "Go.", flag)
    daedal("exec", "Go.")
    assert [stdin["trigger"] for stdin in heard(daedal)] == [trigger]
    assert first_prompt(server.requests[0]) == ["Go.", "the tools are installed"]
    assert first_prompt(server.requests[1]) == ["Go."]
    assert [run["hook_event"] for run in runs(daedal)] == ["Setup", "SessionStart", "SessionStart"]


@requirement("SD-12", "SD-14")
@pytest.mark.parametrize(
    ("command", "why"),
    [
        ("echo 'say please' >&2; exit 2", "[0] say please"),
        (saying(beside={"decision": "block", "reason": "say please"}), "say please"),
        (saying(beside={"continue": False, "stopReason": "say please"}), "say please"),
    ],
    ids=["exit 2", "block", "stop"],
)
def test_a_refused_prompt_is_not_asked_and_that_is_on_the_record(daedal: Daedal, model, command: str, why: str):
    with_hooks(daedal, ("UserPromptSubmit", command), ("UserPromptSubmit", "echo also >&2; exit 2"))
    server = model([say("Never.")])
    run = daedal("exec", "Go.")
    assert run.code == 1
    assert why in run.err
    assert "also" in run.err
    assert "a hook refused the prompt" in run.err
    assert server.requests == []
    assert daedal.entries("user") == []
    assert len(runs(daedal)) == 2
    assert {row["turn_id"] for row in runs(daedal)} != {""}


@requirement("SD-09", "SD-14")
def test_a_prompt_gets_context_and_plain_words_of_its_hooks(daedal: Daedal, model):
    adds = saying("UserPromptSubmit", additionalContext="on the branch main")
    with_hooks(daedal, ("UserPromptSubmit", listening(daedal, then=adds)), ("UserPromptSubmit", "echo and clean"))
    server = model([say("Hello.")])
    daedal("exec", "Go.")
    assert heard(daedal)[0]["prompt"] == "Go."
    assert first_prompt(server.requests[0]) == ["Go.", "on the branch main", "and clean"]


@requirement("SD-14")
def test_after_a_refused_prompt_the_session_goes_on(daedal: Daedal, model, monkeypatch):
    asks = "grep -q please || { echo 'say please' >&2; exit 2; }"
    with_hooks(daedal, ("SessionStart", "echo welcome"), ("UserPromptSubmit", asks))
    server = model([say("Gladly."), say("Gladly.")])
    refused, *ended = converse(daedal, monkeypatch, "Go.", "Go, please.", "Again, please.")
    assert "say please" in refused
    assert ended == ["completed", "completed"]
    assert first_prompt(server.requests[0]) == ["Go, please.", "welcome"]
    assert outcomes(daedal, "UserPromptSubmit") == ["denied", "ran", "ran"]


@requirement("SD-14")
def test_a_session_that_a_hook_stops_asks_nothing(daedal: Daedal, model):
    with_hooks(daedal, ("SessionStart", saying(beside={"continue": False, "stopReason": "not on this machine"})))
    server = model([say("Never.")])
    run = daedal("exec", "Go.")
    assert run.code == 1
    assert "not on this machine" in run.err
    assert server.requests == []


@requirement("SD-09", "SD-14")
def test_watched_files_are_told_of_when_they_change(daedal: Daedal, model):
    with_hooks(
        daedal,
        ("SessionStart", saying("SessionStart", watchPaths=["watched.txt"])),
        ("FileChanged", listening(daedal, then="touch noticed"), {"matcher": "watched\\.txt"}),
        ("FileChanged", "touch wrong", {"matcher": "other\\.txt"}),
    )
    change = "echo x > other.txt; echo x > watched.txt"
    model([call("Bash", command=change), call("Bash", command=UNTIL_NOTICED), say("Done.")])
    assert daedal("exec", "Go.").code == 0
    assert [(stdin["file_path"], stdin["event"]) for stdin in heard(daedal)][:1] == [
        (str(daedal.workspace / "watched.txt"), "add")
    ]
    assert not (daedal.workspace / "wrong").exists()
    assert set(outcomes(daedal, "FileChanged")) == {"ran"}


@requirement("SD-11")
def test_a_file_that_changes_while_a_hook_runs_is_told_of_afterwards(daedal: Daedal, model):
    slow = "[ -e watched.txt ] || { echo x > watched.txt; sleep 0.6; [ ! -e noticed ] || touch overlapped; }"
    with_hooks(
        daedal,
        ("SessionStart", saying("SessionStart", watchPaths=["watched.txt"])),
        ("PreToolUse", slow),
        ("FileChanged", "touch noticed"),
    )
    model([call("Bash", command=UNTIL_NOTICED), say("Done.")])
    daedal("exec", "Go.")
    assert (daedal.workspace / "noticed").exists()
    assert not (daedal.workspace / "overlapped").exists()
    assert [run["hook_event"] for run in runs(daedal)][:3] == ["SessionStart", "PreToolUse", "FileChanged"]


@requirement("SD-09")
def test_a_changed_settings_file_is_told_with_the_next_prompt_and_changes_nothing_before(
    daedal: Daedal, model, monkeypatch
):
    with_hooks(daedal, ("ConfigChange", listening(daedal)))
    config = daedal.home / ".daedal" / "config.toml"
    model([say("One."), TOUCH, say("Two."), say("Three.")])

    def change() -> None:
        config.write_text(config.read_text() + '[permissions]\ndeny = ["Bash"]\n')

    ended = converse(daedal, monkeypatch, "One.", change, "Two.", "Three.")
    assert ended == ["completed"] * 3
    assert [(stdin["source"], stdin["file_path"]) for stdin in heard(daedal)] == [("user_settings", str(config))]
    decision = json.loads(daedal.rows("SELECT reason_json FROM tool_permission_log")[0][0])
    assert decision["rule"] == "fallback"


@requirement("SD-09")
def test_instructions_are_told_of_at_the_start_and_where_they_are_found_later(daedal: Daedal, model):
    with_hooks(daedal, ("InstructionsLoaded", listening(daedal)))
    sub = daedal.workspace / "sub"
    sub.mkdir()
    (sub / "a.txt").write_text("a\n")
    own = daedal.home / ".daedal" / "AGENTS.md"
    for file in (own, daedal.workspace / "AGENTS.md", sub / "AGENTS.md"):
        file.write_text("Be kind.\n")
    model([call("Bash", command="true"), call("Read", file_path="sub/a.txt"), say("Done.")])
    daedal("exec", "Go.")
    told_of = [(stdin["file_path"], stdin["memory_type"], stdin["load_reason"]) for stdin in heard(daedal)]
    assert sorted(told_of[:2]) == sorted(
        [(str(own), "User", "session_start"), (str(daedal.workspace / "AGENTS.md"), "Project", "session_start")]
    )
    assert told_of[2:] == [(str(sub / "AGENTS.md"), "Project", "nested_traversal")]
    assert heard(daedal)[2]["trigger_file_path"] == str(sub / "a.txt")


@requirement("SD-09")
def test_instructions_between_the_projects_root_and_the_workspace_are_the_projects(daedal: Daedal, model):
    with_hooks(daedal, ("InstructionsLoaded", listening(daedal)))
    (daedal.workspace / ".git").mkdir()
    (daedal.workspace / "AGENTS.md").write_text("Be kind.\n")
    (daedal.workspace / "sub").mkdir()
    model([say("Done.")])
    daedal("exec", "Go.", "-C", "sub")
    assert [stdin["memory_type"] for stdin in heard(daedal)] == ["Project"]


@requirement("SD-09", "SD-12", "SD-14")
def test_a_turn_goes_on_when_a_hook_wants_it_to_and_then_ends(daedal: Daedal, model):
    once = "grep -q '\"stop_hook_active\":true' || { echo 'write the tests too' >&2; exit 2; }"
    with_hooks(daedal, ("Stop", listening(daedal)), ("Stop", once))
    server = model([say("Done."), say("Now with tests.")])
    run = daedal("exec", "Go.")
    assert run.code == 0
    assert [(stdin["stop_hook_active"], stdin["last_assistant_message"]) for stdin in heard(daedal)] == [
        (False, "Done."),
        (True, "Now with tests."),
    ]
    assert "[1] write the tests too" in told(server.requests[1])
    assert outcomes(daedal) == ["ran", "denied", "ran", "ran"]
    assert daedal.rows("SELECT status FROM turns") == [("completed",)]
    assert len(daedal.entries("assistant")) == 2


@requirement("SD-12")
def test_a_hook_that_never_lets_the_turn_end_meets_the_limit(daedal: Daedal, model):
    with_hooks(daedal, ("Stop", "exit 2"))
    server = model([say("Done.")], after="repeat")
    run = daedal("exec", "Go.", "--max-turns", "3")
    assert run.code == 53
    assert len(server.requests) == 3
    assert outcomes(daedal) == ["denied"] * 3


@requirement("SD-14")
def test_ending_the_turn_outweighs_going_on(daedal: Daedal, model):
    with_hooks(daedal, ("Stop", saying(beside={"decision": "block", "reason": "more", "continue": False})))
    server = model([say("Done.")])
    assert daedal("exec", "Go.").code == 0
    assert len(server.requests) == 1
