"""Does the example plugin run as its page says? Started for real and driven through the room, over both transports."""

import asyncio
import socket
import sys
from pathlib import Path

from tests.mcp.using import room, within
from tests.toolbox.requirement import requirement

PLUGIN = Path(__file__).parents[2] / "examples" / "mcp_plugin" / "server.py"


async def used(mcp):
    servers = mcp.servers
    return (
        (await mcp.call("mcp__example__echo", text="hello")).content,
        (await mcp.call("mcp__example__wordcount", text="two words")).content,
        await servers.prompt("mcp__example__summarise", ["the house"]),
        [part.text for part in await servers.read("example", "notes://style")],
    )


def check(answers: tuple[str, str, str, list[str]]) -> None:
    echoed, counted, prompt, read = answers
    assert echoed == "hello"
    assert '"words": 2' in counted
    assert prompt == "Summarise the house in one paragraph."
    assert read == ["# Style\n\nShort sentences. Plain words.\n"]


@requirement("RX-06")
def test_the_example_plugin_works_over_standard_streams(tmp_path: Path):
    async def scenario():
        async with room(tmp_path, {"name": "example", "command": sys.executable, "args": [str(PLUGIN)]}) as mcp:
            return await used(mcp)

    check(within(scenario))


@requirement("RX-06")
def test_the_example_plugin_works_over_http(tmp_path: Path):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]

    async def scenario():
        process = await asyncio.create_subprocess_exec(
            sys.executable, str(PLUGIN), "--http", str(port), stderr=asyncio.subprocess.PIPE
        )
        try:
            assert process.stderr is not None
            while b"Uvicorn running" not in (line := await process.stderr.readline()):
                assert line, "the plugin has ended"
            async with room(tmp_path, {"name": "example", "url": f"http://127.0.0.1:{port}/mcp"}) as mcp:
                return await used(mcp)
        finally:
            process.kill()
            await process.communicate()

    check(within(scenario))
