"""Do servers that nobody here wrote work? The official SDK's over every transport, and those of npm's registry."""

import asyncio
import os
import shutil
import socket
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest

from daedal.mcp import Replied, ServerState, Trouble
from tests.mcp.sdk_server import PNG, make, served
from tests.mcp.using import HERE, proper, room, within
from tests.toolbox.requirement import requirement


def over(*transports: object) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("entry", transports, indirect=True)


@pytest.fixture
def entry(request: pytest.FixtureRequest):
    """The same server, reached in every way there is."""
    if request.param == "stdio":
        yield proper()
        return
    if request.param == "sse":
        app, path, kind = make().sse_app(), "/sse", "sse"
    else:
        app = make().streamable_http_app(json_response=request.param == "http as json")
        path, kind = "/mcp", "http"
    with served(app) as port:
        yield {"name": "proper", "type": kind, "url": f"http://127.0.0.1:{port}{path}"}


@requirement("RX-05", "SD-16")
@over("stdio", "http", "http as json", "sse")
def test_tools_are_called_over_every_transport(tmp_path: Path, entry):
    async def scenario():
        async with room(tmp_path, entry) as mcp:
            assert mcp.warnings == []
            return (
                await mcp.call("mcp__proper__add", a=1, b=2),
                await mcp.call("mcp__proper__fail"),
                mcp.servers.specs(),
            )

    added, failed, specs = within(scenario)
    assert (added.content, added.is_error) == ("3", False)
    assert (failed.content, failed.is_error) == ("Error executing tool fail", True)
    by_name = {spec.name: spec for spec in specs}
    assert by_name["mcp__proper__add"].description == "Adds two numbers."
    assert b'"required":["a","b"]' in bytes(by_name["mcp__proper__add"].input_schema)
    assert all(spec.is_deferred and not spec.read_only for spec in specs)


LATER = [pytest.param(transport, marks=pytest.mark.long) for transport in ("sse", "stdio")]


@requirement("SD-16")
@over("http", "http as json", *LATER)
def test_fifty_megabytes_are_cut_off_over_every_transport(tmp_path: Path, entry):
    async def scenario():
        async with room(tmp_path, entry) as mcp:
            return await mcp.call("mcp__proper__huge"), await mcp.call("mcp__proper__add", a=1, b=2)

    huge, after = within(scenario)
    assert not huge.is_error
    assert 1_000_000 < len(huge.content) <= 1_048_576
    assert "[SDLC_TRUNCATED]" in huge.content[-200:]
    assert after.content == "3"


@requirement("RX-05")
@over("stdio", "http")
def test_all_else_that_a_server_has_comes_over_both_kinds_of_transport(tmp_path: Path, entry):
    """Prompts, resources, pictures, a question that nobody is there to answer, and how far it is."""

    async def scenario():
        async with room(tmp_path, entry) as mcp:
            servers = mcp.servers
            return (
                [(prompt.command, prompt.argument_hint) for prompt in servers.prompts()],
                await servers.prompt("mcp__proper__review", ["src", "long", "lines"]),
                [(one.uri, one.is_template) for one in await servers.listed("proper")],
                [part.text for part in await servers.read("proper", "notes://monday")],
                await mcp.call("mcp__proper__picture"),
                await mcp.call("mcp__proper__ask"),
                await mcp.call("mcp__proper__report"),
                mcp.progress,
            )

    prompts, text, listed, read, shown, asked, reported, progress = within(scenario)
    assert prompts == [("mcp__proper__review", "<path> [focus]")]
    assert text == "Review src for long lines."
    assert listed == [("notes://today", False), ("notes://{day}", True)]
    assert read == ["On monday: nothing."]
    assert [(image.media_type, image.data) for image in shown.images] == [("image/png", PNG)]
    assert asked.content == "decline None"
    assert (reported.content, progress) == ("reported", ["1/2 halfway", "2/2 done"])


@requirement("RX-05")
@over("http")
def test_a_prompt_says_what_it_still_needs(tmp_path: Path, entry):
    async def scenario():
        async with room(tmp_path, entry) as mcp:
            with pytest.raises(Trouble, match="also needs path"):
                await mcp.servers.prompt("mcp__proper__review", [])
            with pytest.raises(Trouble, match="known: proper"):
                await mcp.servers.read("other", "notes://today")

    within(scenario)


@over("http")
def test_a_person_s_answer_reaches_the_server_and_the_clock_stands_still_meanwhile(tmp_path: Path, entry):
    asked = []

    async def elicit(question):
        asked.append(question)
        await asyncio.sleep(0.6)  # longer than the call may take
        return Replied(action="accept", content={"street": "Elm Street"})

    async def scenario():
        async with room(tmp_path, {**entry, "call_timeout_seconds": 0.5}, elicit=elicit) as mcp:
            return await mcp.call("mcp__proper__ask")

    outcome = within(scenario)
    assert outcome.content == "accept street='Elm Street'"
    assert (asked[0].server, asked[0].message, asked[0].mode) == ("proper", "Where do you live?", "form")
    assert "street" in asked[0].requested_schema["properties"]


@requirement("RX-05")
def test_a_remote_server_that_comes_back_under_its_old_address_is_found_again(tmp_path: Path):
    async def scenario():
        with ExitStack() as stack:
            first = stack.enter_context(ExitStack())
            port = first.enter_context(served(make().streamable_http_app()))
            async with room(tmp_path, {"name": "proper", "url": f"http://127.0.0.1:{port}/mcp"}) as mcp:
                outcomes = [await mcp.call("mcp__proper__add", a=1, b=1)]
                first.close()
                stack.enter_context(served(make().streamable_http_app(), port=port))
                return [*outcomes, await mcp.call("mcp__proper__add", a=1, b=1)]

    before, after = within(scenario)
    assert (before.content, after.content) == ("2", "2")


@requirement("RX-05", "SD-16")
def test_a_remote_server_that_ends_in_the_middle_of_a_call_takes_nothing_with_it(tmp_path: Path):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]

    async def scenario():
        process = await asyncio.create_subprocess_exec(
            sys.executable, str(HERE / "sdk_server.py"), str(port), stderr=asyncio.subprocess.PIPE
        )
        assert process.stderr is not None
        while b"Uvicorn running" not in (line := await process.stderr.readline()):
            assert line, "the server has ended"
        async with room(tmp_path, {"name": "proper", "url": f"http://127.0.0.1:{port}/mcp"}) as mcp:
            outcomes = [await mcp.call("mcp__proper__vanish"), await mcp.call("mcp__proper__add", a=1, b=1)]
        await process.communicate()
        return outcomes

    died, gone = within(scenario)
    assert died.is_error
    assert died.content.startswith("[SDLC_INTERNAL] ")
    assert gone.is_error
    assert "cannot be used" in gone.content


def test_an_address_where_nobody_answers_is_a_failure_that_says_so(tmp_path: Path):
    with served(make().streamable_http_app()) as port:
        gone = port

    async def scenario():
        async with room(tmp_path, {"name": "proper", "url": f"http://127.0.0.1:{gone}/mcp"}) as mcp:
            return mcp.servers.status()[0]

    status = within(scenario)
    assert status.state is ServerState.FAILED
    assert "connect" in status.trouble.lower()


@pytest.mark.parametrize("package", ["everything", "filesystem", "memory"])
def test_a_server_of_the_registry_works_where_it_is_installed(tmp_path: Path, package: str):
    """Set DAEDAL_TEST_NODE_SERVERS to a folder where npm installed @modelcontextprotocol/server-*."""
    folder = os.environ.get("DAEDAL_TEST_NODE_SERVERS", "")
    program = Path(folder, "node_modules", ".bin", f"mcp-server-{package}")
    if not folder or not program.exists() or shutil.which("node") is None:
        pytest.skip(f"npm has not installed @modelcontextprotocol/server-{package} in DAEDAL_TEST_NODE_SERVERS")
    words = {"everything": ["stdio"], "filesystem": [str(tmp_path)], "memory": []}[package]
    calls = {
        "everything": ("echo", {"message": "hi"}, "Echo: hi"),
        "filesystem": ("list_allowed_directories", {}, str(tmp_path)),
        "memory": ("read_graph", {}, "entities"),
    }
    raw, arguments, expected = calls[package]
    entry = {"name": package, "command": str(program), "args": words}
    entry["env"] = {"MEMORY_FILE_PATH": str(tmp_path / "memory.json")}

    async def scenario():
        async with room(tmp_path, entry) as mcp:
            return await mcp.call(f"mcp__{package}__{raw}", **arguments), mcp.warnings

    outcome, warnings = within(scenario)
    assert expected in outcome.content
    assert warnings == []
