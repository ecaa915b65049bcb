"""How is a person in the editor asked? Tool calls with our gate's own choices, and the model's questions."""

import asyncio
from typing import Any

from acp.schema import (
    AcceptElicitationResponse,
    ClientCapabilities,
    ElicitationCapabilities,
    ElicitationFormCapabilities,
    FileEditToolCallContent,
)

from tests.editor.editors import Editor, connected
from tests.journeys.test_bad_input import configure
from tests.toolbox.model_server import call, say
from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement

ASK = '[permissions]\nask = ["Bash", "Write", "Edit"]\n'
TOUCH = call("Bash", command="touch made")


def choose(kind: str, words: str = "") -> Any:
    """Answers with the first option of that kind whose name has these words in it."""

    def answer(tool: Any, options: list[Any]) -> str:
        return next(each.option_id for each in options if each.kind == kind and words in each.name)

    return answer


def in_turn(*answers: Any) -> Any:
    """Answers each question by the next of them."""
    waiting = iter(answers)

    def answer(tool: Any, options: list[Any]) -> str | None:
        return next(waiting)(tool, options)

    return answer


def run(daedal: Daedal, editor: Editor, *prompts: str, words: tuple[str, ...] = ()) -> list[str]:
    async def scenario() -> list[str]:
        async with connected(daedal, *words, editor=editor) as editing:
            session = await editing.new()
            return [await editing.prompt(session, prompt) for prompt in prompts]

    return asyncio.run(scenario())


@requirement("DX-12")
def test_an_allowed_call_runs_and_its_status_follows(daedal: Daedal, model):
    configure(daedal, '[permissions]\ndefaultMode = "default"\n')
    (daedal.workspace / "made").write_text("old\n")
    write = {"file_path": str(daedal.workspace / "made"), "content": "new\n"}
    model([call("Read", file_path="made"), call("Write", **write), say("Done.")])
    editor = Editor(choose("allow_once"))
    assert run(daedal, editor, "Go.") == ["end_turn"]
    (tool, options) = editor.asked[0]
    assert options[0].kind == "allow_once"
    assert {option.kind for option in options} >= {"allow_once", "allow_always", "reject_once"}
    diff = tool.content[0]
    assert isinstance(diff, FileEditToolCallContent)
    assert (diff.old_text, diff.new_text) == ("old\n", "new\n")
    statuses = [update.status for update in editor.progress(tool.tool_call_id)]
    assert statuses == ["in_progress", "completed"]
    assert (daedal.workspace / "made").read_text() == "new\n"


@requirement("DX-12")
def test_a_call_allowed_for_longer_is_asked_about_once_and_for_good_is_written_down(daedal: Daedal, model):
    made = [str(daedal.workspace / name) for name in ("first", "second")]
    first, second = (call("Write", file_path=path, content="x") for path in made)
    read = call("Read", file_path="first")
    model([first, say("Done."), read, first, say("Again."), second, say("For good.")])
    editor = Editor(in_turn(choose("allow_always", "in this session"), choose("allow_always", "Always allow")))
    settings = daedal.home / ".daedal" / "config.toml"

    async def scenario() -> None:
        async with connected(daedal, editor=editor) as editing:
            session = await editing.new()
            assert [await editing.prompt(session, words) for words in ("Go.", "Once more.")] == ["end_turn"] * 2
            assert len(editor.asked) == 1
            assert not settings.exists() or "allow" not in settings.read_text()
            assert await editing.prompt(await editing.new(), "Go.") == "end_turn"

    asyncio.run(scenario())
    assert len(editor.asked) == 2
    assert "allow" in settings.read_text()


@requirement("DX-12")
def test_what_was_not_allowed_does_not_run_and_whoever_stops_or_cancels_ends_the_turn(daedal: Daedal, model):
    configure(daedal, ASK)
    then = say("Then not.")
    server = model([TOUCH, then, TOUCH, then, TOUCH, TOUCH])
    cases = [
        (choose("reject_once", "Reject"), "end_turn"),
        (lambda tool, options: "acceptAlways:Bash", "end_turn"),  # Nobody offered that.
        (choose("reject_once", "stop"), "cancelled"),
        (lambda tool, options: None, "cancelled"),
    ]
    editor = Editor(in_turn(*(answer for answer, _ in cases)))

    async def scenario() -> list[str]:
        async with connected(daedal, editor=editor) as editing:
            return [await editing.prompt(await editing.new(), "Go.") for _ in cases]

    assert asyncio.run(scenario()) == [reason for _, reason in cases]
    assert not (daedal.workspace / "made").exists()
    assert editor.progress(editor.asked[0][0].tool_call_id)[-1].status == "failed"
    assert "declined" in str(server.requests[1].json["messages"][-1])
    assert len(server.requests) == 6


def test_a_prompt_can_be_cancelled_while_the_person_is_asked(daedal: Daedal, model):
    configure(daedal, ASK)
    model([TOUCH])
    editor = Editor()

    async def scenario() -> None:
        async with connected(daedal, editor=editor) as editing:
            session = await editing.new()
            prompt = asyncio.create_task(editing.prompt(session, "Go."))
            await asyncio.wait_for(editor.is_asked.wait(), 60)
            await editing.agent.cancel(session_id=session)
            assert await prompt == "cancelled"

    asyncio.run(scenario())
    assert not (daedal.workspace / "made").exists()


def test_a_sub_agents_call_is_asked_about_in_the_session_it_works_for(daedal: Daedal, model):
    configure(daedal, ASK)

    def reply(request: Any) -> Any:
        messages = str(request.json["messages"])
        if "Touch it for me" in messages and "Delegate." not in messages:
            return TOUCH if len(request.json["messages"]) == 1 else say("Touched.")
        if len(request.json["messages"]) == 1:
            return call("Agent", description="touch", prompt="Touch it for me", subagent_type="general-purpose")
        return say("Done.")

    model(reply)
    editor = Editor(choose("allow_once"))
    assert run(daedal, editor, "Delegate.") == ["end_turn"]
    assert "touch made" in [tool.title for tool, _ in editor.asked]
    assert (daedal.workspace / "made").exists()
    assert editor.said() == "Done."


QUESTIONS = [
    {
        "question": "Which colour?",
        "header": "Colour",
        "options": [{"label": "Red", "description": "warm"}, {"label": "Blue", "description": "cold"}],
    },
    {
        "question": "Which sizes?",
        "header": "Size",
        "multiSelect": True,
        "options": [{"label": "S", "description": ""}, {"label": "L", "description": ""}],
    },
]


@requirement("DX-12")
def test_the_models_questions_are_choices_one_after_the_other(daedal: Daedal, model):
    server = model([call("AskUserQuestion", questions=QUESTIONS), say("Thanks.")])
    editor = Editor(lambda tool, options: options[1].option_id if "colour" in tool.title else options[-1].option_id)
    assert run(daedal, editor, "Ask me.") == ["end_turn"]
    assert [tool.title for tool, _ in editor.asked] == ["Which colour?", "Which sizes?"]
    assert "**Blue**: cold" in editor.asked[0][0].content[0].content.text
    told = str(server.requests[1].json["messages"][-1])
    assert '"Which colour?"="Blue"' in told
    assert 'Not answered: "Which sizes?"' in told


def test_an_editor_with_forms_gets_one_with_all_questions_and_room_for_own_words(daedal: Daedal, model):
    server = model([call("AskUserQuestion", questions=QUESTIONS), say("Thanks.")])
    given = {"0": "Green", "0-other": "Rather green", "1": ["S", "L", "XXL"]}
    editor = Editor(form=AcceptElicitationResponse(action="accept", content=given))
    capabilities = ClientCapabilities(elicitation=ElicitationCapabilities(form=ElicitationFormCapabilities()))

    async def scenario() -> None:
        async with connected(daedal, editor=editor, capabilities=capabilities) as editing:
            await editing.prompt(await editing.new(), "Ask me.")

    asyncio.run(scenario())
    assert editor.asked == []
    ((message, _),) = editor.forms
    assert "Which colour?" in message
    told = str(server.requests[1].json["messages"][-1])
    assert '"Which colour?"="Rather green"' in told
    assert '"Which sizes?"="S, L"' in told
