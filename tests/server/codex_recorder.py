"""How was `codex_terminal.jsonl` recorded? By standing between Codex's own terminal and `daedal app-server`.

    python -m tests.server.codex_recorder FILE ADDRESS TOKEN

prints the address to give to `codex --remote`, and writes down each message of either side as it passes: a line
`{">": …}` for what the terminal said, `{"<": …}` for what was answered, asked or told. Of the latter only what a replay
goes by is kept: whether it was an answer or an error, and which threads and turns it named.
"""

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.asyncio.server import ServerConnection, serve

MESSAGE_BYTES_MAX = 64 * 1024 * 1024


class Recorder:
    def __init__(self, file: Path, address: str, token: str) -> None:
        self._file = file
        self._address = address
        self._token = token

    async def stand_between(self, terminal: ServerConnection) -> None:
        headers = {"Authorization": f"Bearer {self._token}"}
        options: Any = {
            "additional_headers": headers,
            "max_size": MESSAGE_BYTES_MAX,
            "compression": None,
            "proxy": None,
        }
        async with connect(self._address, **options) as server, asyncio.TaskGroup() as group:
            group.create_task(self._pass_on(">", terminal, server))
            group.create_task(self._pass_on("<", server, terminal))

    async def _pass_on(
        self, side: str, near: ServerConnection | ClientConnection, far: ServerConnection | ClientConnection
    ) -> None:
        async for message in near:
            told = json.loads(message)
            kept = told if side == ">" else _kept(told)
            if kept is not None:
                with self._file.open("a") as lines:
                    lines.write(json.dumps({side: kept}) + "\n")
            await far.send(message)
        await far.close()


def _kept(told: dict[str, Any]) -> dict[str, Any] | None:
    """None for what a replay does not wait for."""
    if "method" not in told:
        result = told.get("result") or {}
        names = {kind: {"id": result[kind]["id"]} for kind in ("thread", "turn") if kind in result}
        return {"id": told["id"], "error": {}} if told.get("error") else {"id": told["id"], "result": names}
    if "id" in told:
        return {**told, "params": {"threadId": told["params"]["threadId"]}}
    if told["method"] == "turn/completed":
        turn = told["params"]["turn"]
        return {"method": told["method"], "params": {"turn": {"id": turn["id"], "status": turn["status"]}}}
    return None


async def main(file: str, address: str, token: str) -> None:
    recorder = Recorder(Path(file), address, token)
    async with serve(recorder.stand_between, "127.0.0.1", 0, max_size=MESSAGE_BYTES_MAX, compression=None) as listening:
        host, port = next(iter(listening.sockets)).getsockname()[:2]
        print(f"ws://{host}:{port}", flush=True)
        await listening.serve_forever()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:4]))
