"""What does an editor get from `daedal acp`? Sessions, words as they come, tool calls, plans, and the past again."""

import asyncio

import pytest
from acp import RequestError
from acp.helpers import embedded_text_resource, resource_block, resource_link_block
from acp.schema import (
    AgentMessageChunk,
    AgentPlanUpdate,
    AvailableCommandsUpdate,
    FileEditToolCallContent,
    McpServerStdio,
    ToolCallProgress,
)

from tests.editor.editors import connected
from tests.toolbox.model_server import call, say, think
from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement


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
            assert not capabilities.prompt_capabilities.image
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


def test_an_image_is_refused_in_words_since_no_prompt_can_hold_one_yet(daedal: Daedal, model):
    from acp.helpers import image_block

    model([])

    async def scenario() -> None:
        async with connected(daedal) as editing:
            with pytest.raises(RequestError, match="image") as refused:
                await editing.prompt(await editing.new(), image_block("aGk=", "image/png"))
            assert refused.value.code == -32602

    asyncio.run(scenario())


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


def test_servers_of_the_editor_that_are_not_used_are_named(daedal: Daedal, model):
    model([say("Hello.")])
    server = McpServerStdio(name="weather", command="/bin/true", args=[], env=[])

    async def scenario() -> None:
        async with connected(daedal) as editing:
            session = (await editing.agent.new_session(cwd=str(daedal.workspace), mcp_servers=[server])).session_id
            await editing.prompt(session, "Hi!")
            assert "weather" in editing.editor.thought()

    asyncio.run(scenario())
