"""What can a script do about a call that has run? Tell the model what it thinks of it; nothing is undone."""

import json

from tests.journeys.test_hooks import heard, listening, outcomes, runs, saying, told, with_hooks
from tests.toolbox.model_server import call, calls, say
from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement


@requirement("SD-09", "SD-12")
def test_after_success_and_failure_the_right_hooks_hear_of_it(daedal: Daedal, model):
    with_hooks(daedal, ("PostToolUse", listening(daedal, "good")), ("PostToolUseFailure", listening(daedal, "bad")))
    model([calls(("Bash", {"command": "echo fine"}), ("Read", {"file_path": "none"})), say("Done.")])
    daedal("exec", "Go.")
    (good,), (bad,) = heard(daedal, "good"), heard(daedal, "bad")
    assert (good["tool_name"], good["tool_input"]) == ("Bash", {"command": "echo fine"})
    assert good["tool_response"] == {"content": daedal.results()[0]["content"], "exit_code": 0}
    assert (bad["tool_name"], bad["is_interrupt"]) == ("Read", False)
    assert bad["error"] == daedal.results()[1]["content"]
    assert [good["tool_use_id"], bad["tool_use_id"]] == [result["tool_use_id"] for result in daedal.results()]


@requirement("SD-12", "SD-14")
def test_all_feedback_and_context_reaches_the_model_in_order(daedal: Daedal, model):
    with_hooks(
        daedal,
        ("PostToolUse", "echo 'lint fails' >&2; exit 2"),
        ("PostToolUse", saying("PostToolUse", additionalContext="the style guide says so")),
        ("PostToolUse", saying(beside={"decision": "block", "reason": "tests fail"})),
    )
    server = model([call("Bash", command="touch ran"), say("I will mend it.")])
    assert daedal("exec", "Go.").code == 0
    assert (daedal.workspace / "ran").exists()
    text = server.requests[1].json["messages"][-1]["content"][0]["content"]
    order = [text.index(part) for part in ("[0] lint fails", "tests fail", "the style guide says so")]
    assert order == sorted(order)
    assert not daedal.results()[0]["is_error"]
    assert outcomes(daedal) == ["denied", "ran", "denied"]
    assert text == daedal.results()[0]["content"]


@requirement("SD-12", "SD-14")
def test_a_failure_gets_feedback_too(daedal: Daedal, model):
    with_hooks(
        daedal,
        ("PostToolUseFailure", "echo 'look elsewhere' >&2; exit 2"),
        ("PostToolUseFailure", saying("PostToolUseFailure", additionalContext="it moved")),
    )
    server = model([call("Read", file_path="none"), say("I see.")])
    daedal("exec", "Go.")
    assert "[0] look elsewhere" in told(server.requests[1])
    assert "it moved" in told(server.requests[1])


@requirement("SD-14")
def test_the_output_of_a_built_in_tool_is_not_replaced(daedal: Daedal, model):
    with_hooks(daedal, ("PostToolUse", saying("PostToolUse", updatedMCPToolOutput="forged")))
    server = model([call("Bash", command="echo true words"), say("Done.")])
    daedal("exec", "Go.")
    assert "true words" in told(server.requests[1])
    assert "forged" not in told(server.requests[1])


@requirement("SD-11")
def test_calls_that_run_together_are_told_of_in_their_order(daedal: Daedal, model):
    names = ["a.txt", "b.txt", "c.txt"]
    for name in names:
        (daedal.workspace / name).write_text(name)
    with_hooks(daedal, ("PreToolUse", listening(daedal)), ("PostToolUse", listening(daedal)))
    model([calls(*[("Read", {"file_path": name}) for name in names]), say("Done.")])
    daedal("exec", "Go.")
    assert [(stdin["hook_event_name"], stdin["tool_input"]["file_path"]) for stdin in heard(daedal)] == [
        *[("PreToolUse", name) for name in names],
        *[("PostToolUse", name) for name in names],
    ]


@requirement("SD-09")
def test_a_move_is_told_with_both_folders_and_later_hooks_run_there(daedal: Daedal, model):
    (daedal.workspace / "sub").mkdir()
    with_hooks(daedal, ("CwdChanged", listening(daedal)), ("PreToolUse", "pwd"))
    model(
        [
            call("Bash", command="cd sub"),
            call("Bash", command="true"),
            say("Done."),
            call("Bash", command="ls"),
            say(""),
        ]
    )
    daedal("exec", "Go.")
    (moved,) = heard(daedal)
    assert (moved["old_cwd"], moved["new_cwd"]) == (str(daedal.workspace), str(daedal.workspace / "sub"))
    assert moved["cwd"] == moved["new_cwd"]
    daedal("exec", "Again.", "-r", daedal.session)
    before = runs(daedal, "PreToolUse")
    folders = [run["stdout_text"].strip() for run in before]
    assert folders == [str(daedal.workspace), moved["new_cwd"], moved["new_cwd"]]
    assert [json.loads(run["input_json"])["cwd"] for run in before] == folders
