"""What does an editor get from `daedal acp`? Sessions, words as they come, tool calls, plans, and the past again."""

import asyncio
import os
from base64 import b64encode

import pytest
from acp import RequestError
from acp.helpers import embedded_text_resource, image_block, resource_block, resource_link_block, text_block
from acp.schema import (
    AgentMessageChunk,
    AgentPlanUpdate,
    AvailableCommandsUpdate,
    FileEditToolCallContent,
    SessionInfoUpdate,
    ToolCallProgress,
    UsageUpdate,
    UserMessageChunk,
)

from tests.editor.editors import connected
from tests.toolbox.model_server import Tokens, call, say, think
from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement
from tests.tools.test_read_images import png


@requirement("DX-12")
def test_an_editor_learns_what_daedal_can_do_and_which_version_it_speaks(daedal: Daedal):
    async def scenario() -> None:
        async with connected(daedal) as editing:
            answer = await editing.agent.initialize(protocol_version=7)
            capabilities = answer.agent_capabilities
            assert answer.protocol_version == 1
            assert answer.agent_info.name == "daedal"
            assert capabilities.load_session
            assert capabilities.prompt_capabilities.embedded_context
            assert capabilities.prompt_capabilities.image
            assert [method.id for method in answer.auth_methods] == ["setup"]

    asyncio.run(scenario())


@requirement("DX-12")
def test_words_and_thoughts_arrive_as_the_model_says_them(daedal: Daedal, model):
    model([(think("Let me see. ") + say("Hello, editor.", 2)).but(separately=True)])

    async def scenario() -> None:
        async with connected(daedal) as editing:
            session = await editing.new()
            assert await editing.prompt(session, "Hi!") == "end_turn"
            assert editing.editor.said() == "Hello, editor."
            assert "Let me see. " in editing.editor.thought()
            assert {chunk.message_id for chunk in editing.editor.of(AgentMessageChunk)} != {None}

    asyncio.run(scenario())
    assert daedal.session


def test_a_tool_call_has_a_kind_a_title_a_place_and_a_result(daedal: Daedal, model):
    (daedal.workspace / "notes.txt").write_text("one\ntwo\nthree\n")
    model([call("Read", file_path="notes.txt", offset=2), call("Bash", command="echo hello"), say("Done.")])

    async def scenario() -> None:
        async with connected(daedal, "--allow", "Bash(echo:*)") as editing:
            assert await editing.prompt(await editing.new(), "Look.") == "end_turn"
            read, bash = editing.editor.calls()
            place = read.locations[0]
            assert (read.kind, read.title, read.status) == ("read", "Read notes.txt", "in_progress")
            assert (place.path, place.line) == (str(daedal.workspace / "notes.txt"), 2)
            assert (bash.kind, bash.title) == ("execute", "echo hello")
            assert "two" in editing.editor.progress(read.tool_call_id)[-1].content[0].content.text
            ended = editing.editor.progress(bash.tool_call_id)[-1]
            assert ended.status == "completed"
            assert "hello" in ended.content[0].content.text

    asyncio.run(scenario())


def test_a_change_of_a_file_is_shown_as_old_and_new_text_where_it_stands(daedal: Daedal, model):
    path = daedal.workspace / "poem.txt"
    path.write_text("".join(f"line {number}\n" for number in range(1, 31)))
    edit = {"file_path": str(path), "old_string": "line 20\n", "new_string": "line twenty\n"}
    made = daedal.workspace / "made.txt"
    model(
        [
            call("Read", file_path=str(path)),
            call("Edit", **edit),
            call("Write", file_path=str(made), content="new\n"),
            say("Done."),
        ]
    )

    async def scenario() -> None:
        async with connected(daedal, "--permission-mode", "acceptEdits") as editing:
            assert await editing.prompt(await editing.new(), "Change it.") == "end_turn"
            _, edited, written = editing.editor.calls()
            ended = editing.editor.progress(edited.tool_call_id)[-1]
            (diff,) = ended.content
            assert isinstance(diff, FileEditToolCallContent)
            around = "line 17\nline 18\nline 19\n{}\nline 21\nline 22\nline 23\n"
            assert (diff.path, diff.old_text) == (str(path), around.format("line 20"))
            assert diff.new_text == around.format("line twenty")
            assert (edited.kind, ended.locations[0].line) == ("edit", 17)
            (new,) = editing.editor.progress(written.tool_call_id)[-1].content
            assert (new.path, new.old_text, new.new_text) == (str(made), None, "new\n")

    asyncio.run(scenario())


def test_the_models_list_of_what_is_to_be_done_is_the_plan(daedal: Daedal, model):
    todos = [
        {"content": "Look", "status": "completed", "activeForm": "Looking"},
        {"content": "Leap", "status": "in_progress", "activeForm": "Leaping"},
    ]
    model([call("TodoWrite", todos=todos), say("Done.")])

    async def scenario() -> None:
        async with connected(daedal) as editing:
            await editing.prompt(await editing.new(), "Plan.")
            (plan,) = editing.editor.of(AgentPlanUpdate)
            assert [(entry.content, entry.status) for entry in plan.entries] == [
                ("Look", "completed"),
                ("Leap", "in_progress"),
            ]

    asyncio.run(scenario())


def test_custom_commands_are_offered_once_the_session_is_known_and_work_in_prompts(daedal: Daedal, model):
    commands = daedal.home / ".daedal" / "commands"
    commands.mkdir(parents=True)
    (commands / "greet.md").write_text("---\ndescription: Greets\nargument-hint: NAME\n---\nGreet $ARGUMENTS warmly.\n")
    server = model([say("Hello, Ada.")])

    async def scenario() -> None:
        async with connected(daedal) as editing:
            session = await editing.new()
            await editing.editor.until(lambda: bool(editing.editor.of(AvailableCommandsUpdate, session)))
            (update,) = editing.editor.of(AvailableCommandsUpdate, session)
            (greet,) = [each for each in update.available_commands if each.name == "greet"]
            assert (greet.description, greet.input.root.hint) == ("Greets", "NAME")
            await editing.prompt(session, "/greet Ada")
            with pytest.raises(RequestError, match="nothing"):
                await editing.prompt(session, "/nothing of the kind")

    asyncio.run(scenario())
    assert "Greet Ada warmly." in str(server.requests[0].json["messages"])


def test_mentioned_files_are_references_and_embedded_ones_are_material(daedal: Daedal, model):
    (daedal.workspace / "linked file.txt").write_text("first\nsecond\nthird\n")
    (daedal.workspace / "secret.txt").write_text("do not open\n")
    server = model([say("Seen.")])
    link = resource_link_block("linked", (daedal.workspace / "linked file.txt").as_uri() + "#L2:3")
    unsaved = resource_block(
        embedded_text_resource((daedal.workspace / "open @secret.txt").as_uri(), "unsaved @secret.txt text")
    )

    async def scenario() -> None:
        async with connected(daedal) as editing:
            await editing.prompt(await editing.new(), "Compare ", link, "with", unsaved, "please.")

    asyncio.run(scenario())
    sent = str(server.requests[0].json["messages"])
    assert "second" in sent
    assert "third" in sent
    assert "first" not in sent
    assert "unsaved @secret.txt text" in sent
    assert "do not open" not in sent


@requirement("DX-12")
def test_an_image_in_a_prompt_is_shown_to_the_model_and_what_is_none_is_refused_in_words(daedal: Daedal, model):
    server = model([say("A cat.")])
    picture = b64encode(png(4, 3)).decode()

    async def scenario() -> None:
        async with connected(daedal) as editing:
            session = await editing.new()
            with pytest.raises(RequestError, match="no whole PNG"):
                await editing.prompt(session, image_block("aGk=", "image/png"))
            await editing.prompt(session, text_block("What is this?"), image_block(picture, "image/png"))

    asyncio.run(scenario())
    [message] = server.requests[0].json["messages"]
    assert message["content"][0]["source"]["data"] == picture


@requirement("DX-12")
def test_a_session_can_be_loaded_again_by_another_process(daedal: Daedal, model):
    path = daedal.workspace / "made.txt"
    todos = [{"content": "Leap", "status": "pending", "activeForm": "Leaping"}]
    server = model(
        [
            call("Write", file_path=str(path), content="new\n"),
            call("TodoWrite", todos=todos),
            say("Written."),
            say("I remember."),
        ]
    )

    async def scenario() -> None:
        async with connected(daedal, "--permission-mode", "acceptEdits") as editing:
            session = await editing.new()
            await editing.prompt(session, "Write it.")
        async with connected(daedal) as again:
            (listed,) = (await again.agent.list_sessions(cwd=str(daedal.workspace))).sessions
            assert (listed.session_id, listed.title, listed.cwd) == (session, "Write it.", str(daedal.workspace))
            loaded = await again.agent.load_session(cwd=str(daedal.workspace), session_id=session, mcp_servers=[])
            assert loaded.modes.current_mode_id == "default"
            assert again.editor.user_said() == ["Write it."]
            assert again.editor.said() == "Written."
            written = again.editor.calls()[0]
            assert (written.status, written.kind) == ("completed", "edit")
            assert written.content[0].new_text == "new\n"
            assert [entry.content for entry in again.editor.of(AgentPlanUpdate)[0].entries] == ["Leap"]
            assert await again.prompt(session, "Do you remember?") == "end_turn"

    asyncio.run(scenario())
    assert "Write it." in str(server.requests[3].json["messages"])


def test_a_session_is_loaded_by_its_whole_id_and_in_its_own_folder_alone(daedal: Daedal, model, tmp_path):
    model([say("Hello.")])
    (tmp_path / "elsewhere").mkdir()

    async def scenario() -> None:
        async with connected(daedal) as editing:
            session = await editing.new()
            await editing.prompt(session, "Hi!")
            await editing.agent.close_session(session_id=session)
            for wrong in (session[:8], "", "no such session"):
                with pytest.raises(RequestError, match="no session") as unknown:
                    await editing.agent.load_session(cwd=str(daedal.workspace), session_id=wrong, mcp_servers=[])
                assert unknown.value.code == -32002
            with pytest.raises(RequestError, match="belongs to"):
                await editing.agent.load_session(cwd=str(tmp_path / "elsewhere"), session_id=session, mcp_servers=[])

    asyncio.run(scenario())


@requirement("DX-12")
def test_several_sessions_work_side_by_side_each_by_the_settings_of_its_folder(daedal: Daedal, model, tmp_path):
    other = tmp_path / "other"
    (other / ".daedal").mkdir(parents=True)
    (other / "daedal.toml").write_text('[permissions]\ndeny = ["Bash(echo:*)"]\n')
    server = model(_two_sessions)

    async def scenario() -> None:
        async with connected(daedal, "--allow", "Bash(echo:*)") as editing:
            here, there = await editing.new(), await editing.new(other)
            assert await asyncio.gather(editing.prompt(here, "Go."), editing.prompt(there, "Go.")) == ["end_turn"] * 2
            assert editing.editor.said(here) == editing.editor.said(there) == "Done."
            ends = {session: editing.editor.of(ToolCallProgress, session)[-1].status for session in (here, there)}
            assert ends == {here: "completed", there: "failed"}

    asyncio.run(scenario())
    results = sorted(str(result["is_error"]) for result in daedal.results())
    assert results == ["False", "True"]
    assert len(server.requests) == 4


def _two_sessions(request):
    is_first = len(request.json["messages"]) == 1
    return call("Bash", command="echo hello") if is_first else say("Done.")


@requirement("DX-12")
def test_what_a_command_prints_is_seen_while_it_runs(daedal: Daedal, model):
    os.mkfifo(daedal.workspace / "gate")
    model([call("Bash", command="echo begun; read word < gate; echo $word"), say("Done.")])

    async def scenario() -> None:
        async with connected(daedal, "--allow", "Bash") as editing:
            session = await editing.new()
            prompt = asyncio.create_task(editing.prompt(session, "Go."))
            await editing.editor.until(lambda: any("begun" in text for text in live(editing.editor)))
            await asyncio.to_thread((daedal.workspace / "gate").write_text, "over\n")
            assert await prompt == "end_turn"
            last = editing.editor.progress(editing.editor.calls()[0].tool_call_id)[-1]
            assert (last.status, "begun\nover" in last.content[0].content.text) == ("completed", True)

    asyncio.run(scenario())


def live(editor) -> list[str]:
    """What calls that still run were shown to have printed."""
    return [update.content[0].content.text for update in editor.of(ToolCallProgress) if not update.status]


def test_an_editor_hears_what_was_used_up_and_what_the_session_is_called(daedal: Daedal, model):
    model([say("Hello.").but(usage=Tokens(input=120, output=7))])

    async def scenario() -> None:
        async with connected(daedal) as editing:
            session = await editing.new()
            said = await editing.agent.prompt(session_id=session, prompt=[text_block("Say hello.")])
            assert (said.usage.input_tokens, said.usage.output_tokens) == (120, 7)
            assert [update.title for update in editing.editor.of(SessionInfoUpdate)] == ["Say hello."]
            (usage,) = editing.editor.of(UsageUpdate)
            assert (usage.used, usage.size > 1000) == (127, True)

    asyncio.run(scenario())


def test_an_image_of_an_earlier_prompt_is_shown_again(daedal: Daedal, model):
    model([say("A cat.")])
    picture = b64encode(png(4, 3)).decode()

    async def scenario() -> None:
        async with connected(daedal) as editing:
            session = await editing.new()
            await editing.prompt(session, text_block("What is this?"), image_block(picture, "image/png"))
            await editing.agent.close_session(session_id=session)
            await editing.agent.load_session(cwd=str(daedal.workspace), session_id=session, mcp_servers=[])
            told = [chunk.content for chunk in editing.editor.of(UserMessageChunk)]
            assert [content.type for content in told] == ["text", "image"]
            assert (told[1].data, told[1].mime_type) == (picture, "image/png")

    asyncio.run(scenario())
