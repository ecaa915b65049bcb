"""What does an editor get from `daedal acp`? Sessions, words as they come, tool calls, plans, and the past again."""

import asyncio
import os
from base64 import b64encode
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from acp import RequestError
from acp.helpers import embedded_text_resource, image_block, resource_block, resource_link_block, text_block
from acp.schema import (
    AgentMessageChunk,
    AgentPlanUpdate,
    FileEditToolCallContent,
    SessionInfoUpdate,
    ToolCallProgress,
    UsageUpdate,
    UserMessageChunk,
)

from tests.editor.editors import Editor, connected
from tests.toolbox.model_server import ModelServer, Tokens, call, say, think
from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement
from tests.tools.test_read_images import png

TODOS = [
    {"content": "Look", "status": "completed", "activeForm": "Looking"},
    {"content": "Leap", "status": "in_progress", "activeForm": "Leaping"},
]


@dataclass
class Seen:
    """What an editor saw of a session in which all kinds of things happened."""

    workspace: Path
    editor: Editor
    introduction: Any
    session: str
    said: Any
    """The answer to the first prompt."""


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> Seen:
    daedal = Daedal(tmp_path_factory.mktemp("seen"))
    workspace = daedal.workspace
    (workspace / "notes.txt").write_text("one\ntwo\nthree\n")
    poem = workspace / "poem.txt"
    poem.write_text("".join(f"line {number}\n" for number in range(1, 31)))
    hello = (think("Let me see. ") + say("Hello, editor.", 2)).but(separately=True, usage=Tokens(input=120, output=7))
    replies = [
        hello,
        call("Read", file_path="notes.txt", offset=2),
        call("Bash", command="echo hello"),
        call("Read", file_path=str(poem)),
        call("Edit", file_path=str(poem), old_string="line 20\n", new_string="line twenty\n"),
        call("Write", file_path=str(workspace / "made.txt"), content="new\n"),
        call("TodoWrite", todos=TODOS),
        say("Done."),
    ]

    async def scenario() -> Seen:
        async with connected(daedal, "--allow", "Bash(echo:*)", "--permission-mode", "acceptEdits") as editing:
            introduction = await editing.agent.initialize(protocol_version=7)
            session = await editing.new()
            said = await editing.agent.prompt(session_id=session, prompt=[text_block("Say hello.")])
            assert await editing.prompt(session, "Now work.") == "end_turn"
            return Seen(workspace, editing.editor, introduction, session, said)

    with ModelServer(replies) as server:
        daedal.env.update(server.env())
        return asyncio.run(scenario())


@requirement("DX-12")
def test_an_editor_learns_what_daedal_can_do_and_which_version_it_speaks(seen: Seen):
    capabilities = seen.introduction.agent_capabilities
    assert seen.introduction.protocol_version == 1
    assert seen.introduction.agent_info.name == "daedal"
    assert capabilities.load_session
    assert capabilities.prompt_capabilities.embedded_context
    assert capabilities.prompt_capabilities.image
    assert [method.id for method in seen.introduction.auth_methods] == ["setup"]


@requirement("DX-12")
def test_words_and_thoughts_arrive_as_the_model_says_them(seen: Seen):
    assert seen.said.stop_reason == "end_turn"
    assert seen.editor.said() == "Hello, editor.Done."
    assert "Let me see. " in seen.editor.thought()
    assert {chunk.message_id for chunk in seen.editor.of(AgentMessageChunk)} != {None}


def test_a_tool_call_has_a_kind_a_title_a_place_and_a_result(seen: Seen):
    read, bash, *_ = seen.editor.calls()
    place = read.locations[0]
    assert (read.kind, read.title, read.status) == ("read", "Read notes.txt", "in_progress")
    assert (place.path, place.line) == (str(seen.workspace / "notes.txt"), 2)
    assert (bash.kind, bash.title) == ("execute", "echo hello")
    assert "two" in seen.editor.progress(read.tool_call_id)[-1].content[0].content.text
    ended = seen.editor.progress(bash.tool_call_id)[-1]
    assert ended.status == "completed"
    assert "hello" in ended.content[0].content.text


def test_a_change_of_a_file_is_shown_as_old_and_new_text_where_it_stands(seen: Seen):
    edited, written = [each for each in seen.editor.calls() if each.kind == "edit"]
    ended = seen.editor.progress(edited.tool_call_id)[-1]
    (diff,) = ended.content
    assert isinstance(diff, FileEditToolCallContent)
    around = "line 17\nline 18\nline 19\n{}\nline 21\nline 22\nline 23\n"
    assert (diff.path, diff.old_text) == (str(seen.workspace / "poem.txt"), around.format("line 20"))
    assert diff.new_text == around.format("line twenty")
    assert ended.locations[0].line == 17
    (new,) = seen.editor.progress(written.tool_call_id)[-1].content
    assert (new.path, new.old_text, new.new_text) == (str(seen.workspace / "made.txt"), None, "new\n")


def test_the_models_list_of_what_is_to_be_done_is_the_plan(seen: Seen):
    (plan,) = seen.editor.of(AgentPlanUpdate)
    assert [(entry.content, entry.status) for entry in plan.entries] == [("Look", "completed"), ("Leap", "in_progress")]


def test_an_editor_hears_what_was_used_up_and_what_the_session_is_called(seen: Seen):
    assert (seen.said.usage.input_tokens, seen.said.usage.output_tokens) == (120, 7)
    assert [update.title for update in seen.editor.of(SessionInfoUpdate)] == ["Say hello."]
    usage = seen.editor.of(UsageUpdate)[0]
    assert (usage.used, usage.size > 1000) == (127, True)


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
def test_an_image_in_a_prompt_is_shown_to_the_model_and_shown_again_and_what_is_none_is_refused(daedal: Daedal, model):
    server = model([say("A cat.")])
    picture = b64encode(png(4, 3)).decode()

    async def scenario() -> None:
        async with connected(daedal) as editing:
            session = await editing.new()
            with pytest.raises(RequestError, match="no whole PNG"):
                await editing.prompt(session, image_block("aGk=", "image/png"))
            await editing.prompt(session, text_block("What is this?"), image_block(picture, "image/png"))
            await editing.agent.close_session(session_id=session)
            await editing.agent.load_session(cwd=str(daedal.workspace), session_id=session, mcp_servers=[])
            told = [chunk.content for chunk in editing.editor.of(UserMessageChunk)]
            assert [content.type for content in told] == ["text", "image"]
            assert (told[1].data, told[1].mime_type) == (picture, "image/png")

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
