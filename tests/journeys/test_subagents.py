"""Do sub-agents work for their thread, and only as far as that may go? By what they did and what is on record."""

import json
import re
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.journeys.test_cli_signals import PATIENCE_S, start
from tests.journeys.test_hooks import heard, listening, with_hooks
from tests.journeys.test_hostile_planning import change
from tests.toolbox.model_server import Recorded, Reply, Tokens, call, calls, say, stall
from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement


def agent(prompt: str, **given: Any) -> tuple[str, dict[str, Any]]:
    return "Agent", {"description": "a task", "prompt": prompt, **given}


def by_prompt(parent: list[Reply], children: dict[str, list[Reply]]) -> Callable[[Recorded], Reply]:
    """Each conversation has its script, chosen by what its first message says; replies go by depth."""

    def reply(request: Recorded) -> Reply:
        first = json.dumps(request.json["messages"][0])
        script = next((replies for prompt, replies in children.items() if prompt in first), parent)
        return script[request.depth]

    return reply


def place(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def git(folder: Path, *words: str) -> str:
    done = subprocess.run(["git", *words], cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout


def repository(folder: Path) -> None:
    git(folder, "init", "-q", "-b", "main")
    git(folder, "config", "user.email", "a@example.org")
    git(folder, "config", "user.name", "A")
    place(folder / "a.txt", "one\n")
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "first")


@requirement("SD-16/Agent")
def test_a_sub_agent_works_in_a_session_of_its_own_and_reports(daedal: Daedal, model):
    write = call("Write", file_path="made.txt", content="by the agent\n")
    server = model(
        by_prompt(
            [calls(agent("Make the file.")), say("It is made.")],
            {"Make the file.": [write, say("I made made.txt.")]},
        )
    )
    done = daedal("exec", "Go.", "--approval", "yolo")
    assert (done.code, done.out) == (0, "It is made.\n"), done.err
    assert re.search(r"↳ ✓ Write .*made.txt\n✓ Agent a task\n", done.err)
    assert (daedal.workspace / "made.txt").read_text() == "by the agent\n"
    sessions = daedal.rows("SELECT session_id, conversation_id FROM sessions ORDER BY rowid")
    assert len({session for session, _ in sessions}) == 2
    assert len({conversation for _, conversation in sessions}) == 1
    ((principal,),) = daedal.rows("SELECT DISTINCT principal FROM tool_permission_log WHERE tool_name = 'Write'")
    assert principal == "subagent:general-purpose"
    (report,) = [result for result in daedal.results() if "agentId" in result["content"]]
    assert "I made made.txt." in report["content"]
    assert not report["is_error"]
    last = json.dumps(server.requests[-1].json["messages"])
    assert "I made made.txt." in last
    assert "by the agent" not in last  # Its context is its own.


@requirement("SD-16/Agent")
def test_what_is_refused_to_the_parent_is_refused_to_its_agents(daedal: Daedal, model):
    write = call("Write", file_path="made.txt", content="x")
    model(by_prompt([calls(agent("Make it.")), say("No.")], {"Make it.": [write, say("I could not.")]}))
    assert daedal("exec", "Go.", "--approval", "yolo", "--deny", "Write").code == 0
    assert not (daedal.workspace / "made.txt").exists()
    rules = [json.loads(row[0])["rule"] for row in daedal.rows("SELECT reason_json FROM tool_permission_log")]
    assert "deny: Write" in rules


@requirement("SD-16/Agent")
def test_an_agent_has_only_the_tools_of_its_type_and_none_that_are_for_the_person(daedal: Daedal, model):
    place(
        daedal.workspace / ".daedal" / "agents" / "reader.md",
        "---\nname: reader\ndescription: Reads.\ntools: Read, Agent, AskUserQuestion\n---\n"
        "You read, and nothing else.\n",
    )
    attempt = calls(("Write", {"file_path": "b", "content": "x"}), agent("Deeper."), ("Read", {"file_path": "a"}))
    server = model(
        by_prompt([calls(agent("Look.", subagent_type="reader")), say("Done.")], {"Look.": [attempt, say("I looked.")]})
    )
    (daedal.workspace / "a").write_text("here\n")
    assert daedal("exec", "Go.", "--approval", "yolo").code == 0
    asked = next(request for request in server.requests if "Look." in json.dumps(request.json["messages"][0]))
    assert [tool["name"] for tool in asked.json["tools"]] == ["Read"]
    assert "You read, and nothing else." in json.dumps(asked.json["system"])
    assert not (daedal.workspace / "b").exists()
    contents = [result["content"] for result in daedal.results()]
    assert sum("No such tool available" in content for content in contents) == 2


@requirement("SD-16/Agent")
def test_agents_of_one_reply_work_side_by_side(daedal: Daedal, model):
    """Each waits for the other's file, so one after the other they would never end."""
    meet = "touch {0}; until [ -e {1} ]; do sleep 0.05; done; echo met"
    model(
        by_prompt(
            [calls(agent("First."), agent("Second.")), say("Both.")],
            {
                "First.": [call("Bash", command=meet.format("one", "two")), say("First met.")],
                "Second.": [call("Bash", command=meet.format("two", "one")), say("Second met.")],
            },
        )
    )
    done = daedal("exec", "Go.", "--approval", "yolo")
    assert done.code == 0, done.err
    reports = [result["content"] for result in daedal.results() if "agentId" in result["content"]]
    assert [report.split("\n")[0] for report in reports] == ["First met.", "Second met."]


@requirement("SD-16/Agent")
def test_twenty_agents_spend_no_more_than_their_thread_may(daedal: Daedal, model):
    costly = Tokens(input=100_000, output=0)
    again = call("Glob", pattern="*").but(usage=costly)
    prompts = [f"Task {number:02d}." for number in range(20)]
    server = model(
        by_prompt(
            [calls(*map(agent, prompts)), say("Enough.")],
            {prompt: [again] * 30 for prompt in prompts},
        )
    )
    done = daedal("exec", "Go.", "--max-budget-usd", "2", "--model", "sonnet")
    assert done.code == 53, done.err
    spent = daedal.rows("SELECT SUM(cost_usd) FROM model_calls")[0][0]
    # Whoever was asking when the budget ran out may finish that one call, of 0.3 dollars.
    assert 2 <= spent <= 2 + 0.31
    assert len(server.requests) < 20


@requirement("SD-16/Agent", "SD-16/TaskOutput")
def test_an_agent_in_the_background_is_collected_later(daedal: Daedal, model):
    def parent(request: Recorded) -> Reply:
        messages = json.dumps(request.json["messages"])
        if "Work." in json.dumps(request.json["messages"][0]):
            return [call("Write", file_path="made", content="x"), say("I worked.")][request.depth]
        if request.depth == 0:
            return calls(agent("Work.", run_in_background=True))
        if request.depth == 1:
            task = messages.split("with ID: ")[1].split(".")[0]
            return call("TaskOutput", task_id=task)
        return say("Collected.")

    model(parent)
    done = daedal("exec", "Go.", "--approval", "yolo")
    assert done.code == 0, done.err
    assert (daedal.workspace / "made").exists()
    collected = daedal.results()[-1]["content"]
    assert "<status>completed</status>" in collected
    assert "I worked." in collected


@requirement("SD-16/Agent")
def test_an_agent_may_work_in_a_worktree_which_stays_only_where_something_changed(daedal: Daedal, model):
    repository(daedal.workspace)
    write = call("Write", file_path="b.txt", content="apart\n")
    model(
        by_prompt(
            [
                calls(agent("Change it.", isolation="worktree")),
                calls(agent("Look at it.", isolation="worktree")),
                say("Done."),
            ],
            {
                "Change it.": [write, say("Changed.")],
                "Look at it.": [call("Read", file_path="a.txt"), say("Looked.")],
            },
        )
    )
    done = daedal("exec", "Go.", "--approval", "yolo")
    assert done.code == 0, done.err
    assert not (daedal.workspace / "b.txt").exists()
    first, second = [result["content"] for result in daedal.results() if "agentId" in result["content"]]
    assert "Its changes are in the worktree" in first
    assert "worktree" not in second
    kept = [Path(line.split()[0]) for line in git(daedal.workspace, "worktree", "list").splitlines()][1:]
    assert [(tree / "b.txt").read_text() for tree in kept] == ["apart\n"]


@requirement("SD-16/Agent")
def test_without_a_repository_a_worktree_is_refused_in_words(daedal: Daedal, model):
    model([calls(agent("Change it.", isolation="worktree")), say("Then not.")])
    assert daedal("exec", "Go.").code == 0
    (result,) = daedal.results()
    assert result["is_error"]
    assert "git repository" in result["content"]


@requirement("SD-16/Agent")
@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"subagent_type": "nobody"}, "There is no agent type 'nobody'. Available: Explore, general-purpose"),
        ({"model": "no/such"}, "could not begin"),
        ({"isolation": "remote"}, "no remote place"),
        ({"prompt": " "}, "The prompt is empty"),
    ],
)
def test_an_order_that_cannot_be_given_is_the_models_mistake(daedal: Daedal, model, given: dict[str, str], said: str):
    model([call("Agent", **{"description": "a task", "prompt": "Do it.", **given}), say("Hm.")])
    assert daedal("exec", "Go.").code == 0
    (result,) = daedal.results()
    assert result["is_error"]
    assert said in result["content"]


@requirement("SD-16/Agent")
def test_an_agent_that_fails_is_an_error_that_the_parent_can_go_on_from(daedal: Daedal, model):
    model(
        by_prompt(
            [calls(agent("Fail.")), say("Never mind.")], {"Fail.": [call("Glob", pattern="*")] * 3 + [say("")] * 9}
        )
    )
    assert daedal("exec", "Go.").code == 0
    (report,) = [result for result in daedal.results() if "agentId" in result["content"]]
    assert report["is_error"]
    assert "did not finish" in report["content"]


@requirement("SD-16/Agent")
def test_interrupted_with_its_parent_an_agent_leaves_a_closed_turn(daedal: Daedal, model):
    server = model(by_prompt([calls(agent("Wait."))], {"Wait.": [stall()]}))
    process = start(daedal, "exec", "Go.")
    server.wait_for_stall()
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 130
    assert daedal.rows("SELECT DISTINCT status FROM turns") == [("interrupted",)]


@requirement("SD-16/Agent")
def test_hooks_hear_of_agents_and_of_what_they_do(daedal: Daedal, model):
    events = ["SubagentStart", "SubagentStop", "TaskCreated", "TaskCompleted", "Stop", "PreToolUse", "SessionStart"]
    with_hooks(daedal, *((event, listening(daedal)) for event in events))
    model(by_prompt([calls(agent("Look.")), say("Done.")], {"Look.": [call("Glob", pattern="*"), say("I looked.")]}))
    assert daedal("exec", "Go.").code == 0
    told = heard(daedal)
    assert [each["hook_event_name"] for each in told] == [
        "SessionStart",
        "PreToolUse",
        "SubagentStart",
        "TaskCreated",
        "PreToolUse",
        "SubagentStop",
        "TaskCompleted",
        "Stop",
    ]
    inner = told[4]
    assert (inner["agent_type"], inner["agent_id"]) == ("general-purpose", told[2]["agent_id"])
    assert told[5]["last_assistant_message"] == "I looked."


@requirement("SD-16/Skill", "RX-19")
def test_a_skill_gives_its_instructions_or_sets_an_agent_of_its_own_to_work(daedal: Daedal, model):
    skills = daedal.workspace / ".daedal" / "skills"
    place(
        skills / "greet" / "SKILL.md", "---\nname: greet\ndescription: How to greet.\n---\nSay hello to $ARGUMENTS.\n"
    )
    place(
        skills / "look" / "SKILL.md",
        "---\nname: look\ndescription: Looks.\ncontext: fork\n---\nLook around for $1.\n",
    )
    server = model(
        by_prompt(
            [call("Skill", skill="greet", args="Ada"), call("Skill", skill="look", args="cats"), say("Done.")],
            {"Look around for cats.": [say("I saw none.")]},
        )
    )
    assert daedal("exec", "Go.").code == 0
    first, second = daedal.results()[:1], daedal.results()[-1:]
    assert "Say hello to Ada." in first[0]["content"]
    assert "I saw none." in second[0]["content"]
    description = next(t for t in server.requests[0].json["tools"] if t["name"] == "Skill")["description"]
    assert "greet: How to greet." in description


@requirement("SD-16/Agent")
def test_a_run_with_agents_is_recorded_and_replayed(daedal: Daedal, model):
    write = call("Write", file_path="made", content="x")
    model(
        by_prompt(
            [calls(agent("One."), agent("Two.")), say("Both are done.")],
            {"One.": [write, say("One is done.")], "Two.": [call("Glob", pattern="*"), say("Two is done.")]},
        )
    )
    assert daedal("exec", "Go.", "--approval", "yolo", "--record", "tape.jsonl").code == 0
    (daedal.workspace / "made").unlink()
    again = daedal("exec", "Go.", "--approval", "yolo", "--replay", "tape.jsonl")
    assert (again.code, again.out) == (0, "Both are done.\n"), again.err
    assert (daedal.workspace / "made").exists()
    told = daedal.rows("SELECT payload_json FROM transcript_entries WHERE payload_json LIKE '%agentId%'")
    said = [json.loads(row)["content"].split("\n")[0] for (row,) in told if "content" in json.loads(row)]
    assert sorted(said) == ["One is done."] * 2 + ["Two is done."] * 2


@requirement("SD-16/Agent")
def test_the_session_of_an_agent_is_neither_continued_nor_resumed(daedal: Daedal, model):
    model(by_prompt([calls(agent("Look.")), say("Done."), say("Again.")], {"Look.": [say("I looked.")]}))
    assert daedal("exec", "Go.").code == 0
    ((session, parent),) = daedal.rows("SELECT session_id, worked_for FROM sessions WHERE worked_for IS NOT NULL")
    refused = daedal("exec", "Go on.", "--resume", session)
    assert refused.code == 2
    assert parent in refused.err
    assert "↳ Look." in daedal("sessions").out
    # As after a crash, when the sub-agent was the last to do something.
    change(daedal, "UPDATE sessions SET last_active = '2099-01-01 00:00:00.000' WHERE session_id = ?", session)
    assert daedal("exec", "Again.", "--continue").code == 0
    assert daedal.rows("SELECT COUNT(*) FROM sessions") == [(2,)]
    assert daedal.rows("SELECT COUNT(*) FROM turns WHERE session_id = ?", parent) == [(2,)]


@requirement("SD-16/Agent", "SD-19")
def test_planning_holds_for_agents_that_are_already_at_work(daedal: Daedal, model):
    wait = call("Bash", command="until [ -e go ]; do sleep 0.05; done")

    def reply(request: Recorded) -> Reply:
        messages = json.dumps(request.json["messages"])
        if "Work." in json.dumps(request.json["messages"][0]):
            return [wait, call("Write", file_path="by_agent", content="x"), say("Done.")][request.depth]
        if request.depth == 0:
            return calls(agent("Work.", run_in_background=True))
        if request.depth == 1:
            return call("EnterPlanMode")
        if request.depth == 2:
            (daedal.workspace / "go").touch()  # The agent goes on now, in the midst of planning.
            return call("TaskOutput", task_id=messages.split("works in the background with ID: ")[1].split(".")[0])
        return say("Planned.")

    model(reply)
    assert daedal("exec", "Go.", "--approval", "yolo").code == 0
    assert not (daedal.workspace / "by_agent").exists()
    denied = daedal.rows("SELECT reason_json FROM tool_permission_log WHERE tool_name = 'Write'")
    assert [json.loads(reason)["rule"] for (reason,) in denied] == ["phase:planning"]


@requirement("SD-16/Agent")
def test_no_file_of_a_project_raises_the_number_of_steps(daedal: Daedal, model):
    place(
        daedal.workspace / ".daedal" / "agents" / "long.md",
        "---\nname: long\ndescription: Long.\nmaxTurns: 40\n---\nGo on and on.\n",
    )
    server = model(
        by_prompt(
            [calls(agent("Loop.", subagent_type="long")), say("Enough.")],
            {"Loop.": [call("Glob", pattern="*")] * 50},
        )
    )
    daedal("exec", "Go.", "--max-turns", "3")
    assert len(server.requests) == 5


@requirement("SD-16/Skill")
def test_an_agent_cannot_set_another_to_work_by_a_skill(daedal: Daedal, model):
    place(
        daedal.workspace / ".daedal" / "skills" / "fork" / "SKILL.md",
        "---\nname: fork\ndescription: Forks.\ncontext: fork\n---\nFork.\n",
    )
    model(by_prompt([calls(agent("Try.")), say("Done.")], {"Try.": [call("Skill", skill="fork"), say("No.")]}))
    assert daedal("exec", "Go.").code == 0
    refused = next(result for result in daedal.results() if "cannot set another" in result["content"])
    assert refused["is_error"]


@requirement("SD-16/Agent")
def test_what_agents_cost_is_told_also_where_the_run_stops_on_its_budget(daedal: Daedal, model):
    costly = call("Glob", pattern="*").but(usage=Tokens(input=100_000, output=0))
    model(by_prompt([calls(agent("Spend.")), say("Enough.")], {"Spend.": [costly] * 9}))
    done = daedal("exec", "Go.", "--max-budget-usd", "0.5", "--model", "sonnet", "--output-format", "json")
    assert done.code == 53
    spent = daedal.rows("SELECT SUM(cost_usd) FROM model_calls")[0][0]
    assert json.loads(done.out)["total_cost_usd"] == pytest.approx(spent)


@requirement("SD-16/Agent")
def test_a_model_does_not_choose_to_whom_the_users_words_are_sent(daedal: Daedal, model):
    model([call("Agent", description="x", prompt="Go elsewhere.", model="openai_compatible/gpt_4o"), say("Then not.")])
    assert daedal("exec", "Go.").code == 0
    (result,) = daedal.results()
    assert result["is_error"]
    assert "could not begin" in result["content"]
