"""Who reaches the deliverable tools? Only the session with the token, and only while it lasts."""

import asyncio
import json
from pathlib import Path

import httpx2

from daedal.delivery.recorder import Recorder
from daedal.delivery.status_file import StatusFile
from daedal.delivery.tool_server import served
from daedal.delivery.toolkit import Auditor, Toolkit
from daedal.delivery.workflow import TOOLS
from tests.toolbox.requirement import requirement

HEADERS = {"accept": "application/json, text/event-stream", "content-type": "application/json"}
LIST = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}


def toolkit(folder: Path, instruction) -> Toolkit:
    return Toolkit(
        instruction,
        StatusFile(str(folder)),
        auditor=Auditor(),
        verified=set(),
        tell=lambda _: None,
        recorder=Recorder(),
    )


@requirement("AU-04")
def test_only_the_token_of_the_session_opens_it(tmp_path: Path):
    async def scenario() -> None:
        async with httpx2.AsyncClient(trust_env=False) as client:
            async with served(toolkit(tmp_path, "coding")) as server:
                for headers in ({}, {"Authorization": "Bearer x"}, {"Authorization": ""}):
                    answer = await client.post(server.url, json=LIST, headers={**HEADERS, **headers})
                    assert answer.status_code == 401
                ours = {**HEADERS, **server.headers}
                assert (await client.post(server.url, json=LIST, headers=ours)).status_code == 200
                foreign = {**ours, "Host": "evil.example"}
                assert (await client.post(server.url, json=LIST, headers=foreign)).status_code == 421
                page = {**ours, "Origin": "https://evil.example"}
                assert (await client.post(server.url, json=LIST, headers=page)).status_code == 403
                assert server.url.startswith("http://127.0.0.1:")
            try:
                await client.post(server.url, json=LIST, headers=ours)
            except httpx2.ConnectError:
                return
            raise AssertionError("it still listens")

    asyncio.run(scenario())


@requirement("AU-04")
def test_each_instruction_has_just_its_own_tools(tmp_path: Path):
    async def scenario() -> None:
        for instruction, names in TOOLS.items():
            kit = toolkit(tmp_path, instruction)
            assert {info.name for info in kit.infos()} == set(names)
            async with served(kit) as server, httpx2.AsyncClient(trust_env=False) as client:
                body = {
                    "jsonrpc": "2.0",
                    "id": 1,
                    "method": "tools/call",
                    "params": {"name": "verify", "arguments": {}},
                }
                answer = await client.post(server.url, json=body, headers={**HEADERS, **server.headers})
                result = json.loads(answer.text)["result"]
                assert result["isError"] is True
                expected = "arguments of verify" if "verify" in names else "no tool 'verify'"
                assert expected in result["content"][0]["text"]

    asyncio.run(scenario())
