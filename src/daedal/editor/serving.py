"""How is one editor served, from its first word until it leaves?"""

import asyncio
from collections.abc import Callable

from acp import run_agent

from daedal.editor.agent import EditorAgent
from daedal.editor.line import Line
from daedal.editor.lines import LineTransport, line_transport
from daedal.editor.outbox import Outbox
from daedal.editor.program import Program


class Service:
    """Made inside the event loop, for one editor."""

    def __init__(self, program: Program, *, warn: Callable[[str], None]) -> None:
        self._program = program
        self._warn = warn
        self._transport: LineTransport | None = None
        self._is_stopped = False

    async def run(self, incoming: int, outgoing: int) -> None:
        """Over pipes, until the editor leaves or `stop` is called. Turns that run then are interrupted and recorded."""
        self._transport = transport = await line_transport(incoming, outgoing)
        if self._is_stopped:
            transport.end()
        outbox = Outbox(give_up=self._give_up)
        line = Line(outbox)
        agent = EditorAgent(self._program, line)
        serving = asyncio.create_task(run_agent(agent, transport, use_unstable_protocol=True))  # type: ignore[arg-type]
        sending = asyncio.create_task(outbox.run(line.send))
        try:
            await asyncio.wait([serving, sending], return_when=asyncio.FIRST_COMPLETED)
        finally:
            transport.end()
            sending.cancel()
            await agent.close()
            await asyncio.gather(serving, sending, return_exceptions=True)
        if not sending.cancelled() and (trouble := sending.exception()) is not None:
            raise trouble

    def stop(self) -> None:
        self._is_stopped = True
        if self._transport is not None:
            self._transport.end()

    def _give_up(self, sentence: str) -> None:
        self._warn(sentence)
        self.stop()
