"""How does one session of Claude become one of our threads? What it says is passed on; each call waits in PreToolUse.

Hooks hear of every call, also of those that Claude would run without asking anybody. Running a call of our engine
answers its hook with allow and waits for the result; refusing it answers with deny and the reason.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import suppress
from typing import Any
from uuid import uuid4

from claude_agent_sdk import (
    ClaudeAgentOptions,
    ClaudeSDKClient,
    ClaudeSDKError,
    HookMatcher,
    ResultMessage,
    ToolResultBlock,
    UserMessage,
)
from msgspec import Struct

from daedal.guests.claude.bill import Bill
from daedal.guests.claude.hearing import Hearing, Reply
from daedal.guests.claude.launching import TOOLS, Launcher
from daedal.guests.claude.lending import Lending
from daedal.guests.claude.outcomes import outcome_of
from daedal.guests.claude.standing_in import OURS, Prints
from daedal.guests.claude.transport import PipedTransport
from daedal.guests.claude.troubles import gone
from daedal.guests.guest import Stay
from daedal.guests.inbox import GONE, Inbox, departure
from daedal.protocol.content import ToolResult
from daedal.protocol.errors import ProviderError
from daedal.protocol.model import Chunk, Finished, StopReason
from daedal.protocol.seams import Bench, Outcome

HUSH_S = 10.0
HOOK_S = 7 * 86_400.0
"""A person may take long to answer; how long, our gate decides."""
LOST = "Claude ended while it ran. It may have run completely, partly or not at all."
STOPPED = "The turn was stopped."
NOT_HERE = "There is no such tool here."


class Ask(Struct):
    """A call that waits in its hook."""

    name: str
    given: dict[str, Any]
    answer: Any
    """A future with what the hook says."""
    is_lent: bool = False
    """Of a tool that we lend: it waits for the result."""


class ClaudeGuest:
    """The `Guest` seam."""

    def __init__(self, launcher: Launcher, stay: Stay) -> None:
        self._launcher = launcher
        self._stay = stay
        self._lending = Lending(each for each in stay.lent.values() if each.name not in OURS)
        self._prints = Prints(launcher.home)
        self._session_id = ""
        self._client: ClaudeSDKClient | None = None
        self._transport: PipedTransport | None = None
        self._pump: asyncio.Task[None] | None = None
        self.is_new = True
        self.is_working = False
        self._inbox = Inbox()
        self._reply = Reply()
        self._asks: dict[str, Ask] = {}
        self._ends: dict[str, asyncio.Future[Outcome]] = {}
        self._running: dict[str, Ask] = {}

    async def open(self) -> None:
        if self._transport is not None and self._transport.is_ready():
            return
        await self._drop()
        known = self._session_id or await self._stay.recall()
        if known is not None and self._launcher.knows(known):
            await self._connect(f"--resume={known}")
            self._session_id, self.is_new = known, False
            return
        self._session_id = str(uuid4())
        await self._connect(f"--session-id={self._session_id}")
        await self._stay.remember(self._session_id)

    async def _connect(self, session: str) -> None:
        self._transport = await self._launcher.launch(session, self._lending.config())
        gate = HookMatcher(matcher=None, hooks=[self._asked], timeout=HOOK_S, on_failure="block")
        self._client = ClaudeSDKClient(
            ClaudeAgentOptions(
                hooks={"PreToolUse": [gate]}, mcp_servers=self._lending.servers(), verbatim_prompts=True
            ),
            self._transport,
        )
        try:
            await self._client.connect()
        except ClaudeSDKError as error:
            raise gone(self._transport.last_words() or str(error)) from error
        self._inbox = Inbox()
        self._pump = asyncio.create_task(self._listen(self._client, self._inbox))

    async def _listen(self, client: ClaudeSDKClient, inbox: Inbox) -> None:
        """Hands on what comes, until nothing more does."""
        why = ""
        try:
            async for message in client.receive_messages():
                if isinstance(message, UserMessage):
                    self._resulted(message)
                inbox.put({"method": "said", "params": message})
        except ClaudeSDKError as error:
            why = str(error)
        finally:
            for end in self._ends.values():
                _settle(end, Outcome(content=LOST, is_error=True))
            inbox.put(departure(why))

    async def _asked(self, told: Any, tool_use_id: str | None, context: Any) -> Any:
        """The hook: waits until our gate has spoken."""
        del tool_use_id, context
        call_id, called = str(told["tool_use_id"]), str(told["tool_name"])
        lent = called if called in OURS else self._lending.meant(called)
        is_known = called in TOOLS if lent is None else lent in self._stay.lent
        if not is_known or told.get("agent_id"):
            # Whatever else it may come with, and whoever else may work in it, was never invited.
            return _verdict("deny", permissionDecisionReason=NOT_HERE)
        answer: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._asks[call_id] = Ask(lent or called, told["tool_input"], answer, lent is not None)
        self._inbox.put({"method": "ask", "params": {**told, "tool_name": lent or called}})
        return await answer

    def _resulted(self, message: UserMessage) -> None:
        blocks = message.content if isinstance(message.content, list) else []
        for block in blocks:
            if not isinstance(block, ToolResultBlock):
                continue
            self._reply.settled.add(block.tool_use_id)
            self._prints.forget(block.tool_use_id)
            ask = self._running.pop(block.tool_use_id, None)
            if ask is not None and block.tool_use_id in self._ends:
                outcome = outcome_of(ask.name, ask.given, block, message.tool_use_result)
                _settle(self._ends[block.tool_use_id], outcome)

    async def say(self, texts: Sequence[str]) -> None:
        client = self._client
        if client is None:
            raise gone("")
        self._reply = self._reply if self.is_working else Reply()
        try:
            await client.query("\n\n".join(texts))
        except ClaudeSDKError as error:
            raise gone(str(error)) from error
        self.is_working, self.is_new = True, False

    async def hear(self) -> AsyncIterator[Chunk]:
        hearing = Hearing(self._inbox, self._reply, Bill(self._launcher.home, self._session_id).more)
        try:
            async for chunk in hearing.chunks():
                if isinstance(chunk, Finished) and chunk.stop is not StopReason.TOOL_USE:
                    self.is_working = False
                yield chunk
        except ProviderError:
            self.is_working = False
            raise

    async def run(self, arguments: Mapping[str, Any], bench: Bench) -> Outcome:
        ask = self._asks.get(bench.tool_use_id)
        if ask is None or ask.is_lent or ask.answer.done():
            return Outcome(content="Claude does not wait for this call.", is_error=True)
        del self._asks[bench.tool_use_id]
        end: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
        self._ends[bench.tool_use_id] = end
        self._running[bench.tool_use_id] = Ask(ask.name, dict(arguments), None)
        changed = {"updatedInput": dict(arguments)} if arguments != ask.given else {}
        ask.answer.set_result(_verdict("allow", **changed))
        try:
            return await end
        except asyncio.CancelledError:
            await self.hush()
            raise
        finally:
            self._ends.pop(bench.tool_use_id, None)
            self._running.pop(bench.tool_use_id, None)

    async def refuse(self, call_id: str, reason: str) -> None:
        ask = self._asks.pop(call_id, None)
        if ask is not None and not ask.answer.done():
            ask.answer.set_result(_verdict("deny", permissionDecisionReason=reason))

    async def settle(self, result: ToolResult) -> None:
        ask = self._asks.get(result.tool_use_id)
        if ask is None or not ask.is_lent:
            await self.refuse(result.tool_use_id, result.content)
            return
        del self._asks[result.tool_use_id]
        if ask.answer.done():
            return
        if ask.name in OURS:
            printing = {**ask.given, "command": self._prints.command(result)}
            ask.answer.set_result(_verdict("allow", updatedInput=printing))
        else:
            self._lending.keep(result)
            ask.answer.set_result(_verdict("allow"))

    async def hush(self) -> None:
        is_working, self.is_working = self.is_working, False
        if not is_working or self._client is None:
            return
        try:
            async with asyncio.timeout(HUSH_S):
                await self._client.interrupt()
                for call_id in list(self._asks):
                    await self.refuse(call_id, STOPPED)
                while (message := await self._inbox.next()) is not None:
                    if message["method"] == GONE or isinstance(message["params"], ResultMessage):
                        return
        except (ClaudeSDKError, TimeoutError):
            await self._drop()

    async def close(self) -> None:
        await self.hush()
        await self._drop()
        await self._launcher.close()

    async def _drop(self) -> None:
        """Ends the process, whatever state it is in."""
        client, pump, transport = self._client, self._pump, self._transport
        self._client = self._pump = self._transport = None
        if pump is not None:
            pump.cancel()
            await asyncio.wait([pump])
        if client is not None:
            with suppress(ClaudeSDKError, TimeoutError):
                await client.disconnect()
        if transport is not None:
            await transport.close()
        for ask in self._asks.values():
            if not ask.answer.done():
                ask.answer.cancel()
        self._asks.clear()


def _verdict(decision: str, **more: Any) -> dict[str, Any]:
    return {"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": decision, **more}}


def _settle(end: "asyncio.Future[Outcome]", outcome: Outcome) -> None:
    if not end.done():
        end.set_result(outcome)
