"""How do we behave towards an agent that borrows? One call after another, every question legible, no line too long."""

import asyncio
import json
import os
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp import Client
from mcp_types import ErrorData

from daedal.cli.mcp_serve import address
from daedal.cli.mcp_token import token_for
from daedal.mcp import Loan, chosen, pipe_streams
from daedal.mcp.lending.loan import WAITING_MAX
from daedal.mcp.lending.questions import SHOWN_MAX, legible, question
from daedal.protocol.approvals import ApprovalAnswer, ApprovalDecision, ApprovalRequest
from daedal.protocol.errors import UsageError
from daedal.protocol.threads import ListedTool, ToolCallResponse
from tests.mcp.borrowing import answering, run, text
from tests.toolbox.requirement import requirement


def listed(name: str, *, read_only: bool = False) -> ListedTool:
    schema = msgspec.Raw(b'{"type":"object"}')
    return ListedTool(
        name=name, description=name, input_schema=schema, read_only=read_only, is_deferred=False, source="built-in"
    )


def asked(**fields: Any) -> ApprovalRequest:
    told = {"tool": "Bash", "arguments": {}, "command": "make", "rule": "default", "reason": "no rule allows it"}
    at = {"thread_id": "t", "turn_id": "u", "item_id": "i", "cwd": "/", "deadline_ms": int((time.time() + 60) * 1000)}
    return ApprovalRequest(**{**at, **told, **fields})


class Workshop:
    """Makes calls that last until they are let go, and asks before each where it is told to."""

    def __init__(self, *, asks: bool = False) -> None:
        self.loan = Loan(self, [listed("Bash")], "/project")
        self.go = asyncio.Event()
        self.begun: list[str] = []
        self.answers: list[ApprovalAnswer] = []
        self._asks = asks
        self._at_work = 0

    async def call(self, name: str, arguments: dict[str, Any]) -> ToolCallResponse:
        assert self._at_work == 0
        self._at_work += 1
        self.begun.append(arguments["command"])
        try:
            if self._asks:
                self.answers.append(await self.loan.ask(asked()))
            await self.go.wait()
        finally:
            self._at_work -= 1
        return ToolCallResponse(tool_use_id="", content=arguments["command"], is_error=False)

    async def interrupt(self) -> None: ...

    @asynccontextmanager
    async def borrower(self, **options: Any) -> AsyncIterator[Client]:
        """An agent that is connected by two pairs of pipes."""
        theirs, ours = os.pipe(), os.pipe()
        async with pipe_streams(theirs[0], ours[1]) as served:
            serving = asyncio.create_task(self.loan.serve(*served))
            async with Client(pipe_streams(ours[0], theirs[1]), **options) as client:
                yield client
            await serving


@requirement("DX-13")
def test_calls_are_made_one_after_another_and_too_many_at_once_are_turned_away():
    async def scenario() -> None:
        workshop = Workshop()
        async with workshop.borrower() as agent:
            calls = [
                asyncio.create_task(agent.call_tool("Bash", {"command": str(number)}))
                for number in range(WAITING_MAX + 1)
            ]
            done, _ = await asyncio.wait(calls, return_when=asyncio.FIRST_COMPLETED)
            refused = done.pop().result()
            assert refused.is_error
            assert "was not run" in text(refused)
            assert len(workshop.begun) == 1
            workshop.go.set()
            results = await asyncio.gather(*calls)
            assert sum(result.is_error for result in results) == 1
            assert [text(result) for result in results if not result.is_error] == workshop.begun

    run(scenario())


@requirement("DX-13")
def test_an_answer_of_the_person_counts_and_a_client_that_fails_to_ask_has_not_said_yes():
    async def broken(_context: object, _params: object) -> ErrorData:
        return ErrorData(code=-32603, message="the window is gone")

    async def answer_of(callback: Any) -> ApprovalAnswer:
        workshop = Workshop(asks=True)
        workshop.go.set()
        async with workshop.borrower(elicitation_callback=callback) as agent:
            await agent.call_tool("Bash", {"command": "make"})
        (answer,) = workshop.answers
        return answer

    async def scenario() -> None:
        assert await answer_of(answering(iter(["accept"]), [])) == ApprovalAnswer(decision=ApprovalDecision.ACCEPT)
        assert await answer_of(answering(iter(["decline"]), [])) == ApprovalAnswer(decision=ApprovalDecision.DECLINE)
        assert (await answer_of(None)).by_default
        failed = await answer_of(broken)
        assert (failed.decision, failed.by_default) == (ApprovalDecision.DECLINE, False)
        assert "the window is gone" in failed.message

    run(scenario())


@requirement("DX-13")
def test_a_call_that_ends_takes_its_question_with_it():
    gone = asyncio.Event()
    shown = asyncio.Event()

    async def hesitating(_context: object, _params: object) -> None:
        shown.set()
        try:
            await anyio.sleep_forever()
        finally:
            gone.set()

    async def scenario() -> None:
        async with Workshop(asks=True).borrower(elicitation_callback=hesitating) as agent:
            call = asyncio.create_task(agent.call_tool("Bash", {"command": "make"}))
            await shown.wait()
            call.cancel()
            await gone.wait()

    run(scenario())


def test_a_question_shows_what_it_is_about_and_how_much_it_does_not_show():
    told = question(asked(command="rm -r build"))
    assert "rm -r build" in told
    assert "no rule allows it" in told
    assert "default" in told
    long = question(asked(command="x" * (SHOWN_MAX + 7)))
    assert "7 more characters" in long
    assert '"file_path":"a.txt"' in question(asked(tool="Write", command=None, arguments={"file_path": "a.txt"}))


@given(st.text())
def test_nothing_in_a_question_hides_or_moves_what_is_seen(words: str):
    assert all(sign.isprintable() or sign == "\n" for sign in legible(words))


def test_lines_that_are_no_messages_are_answered_and_the_next_one_is_heard():
    async def scenario() -> None:
        theirs, ours = os.pipe(), os.pipe()
        lines = [b"nonsense", b'{"jsonrpc":"2.0"}', b"[" * 17_000_000, b'{"jsonrpc":"2.0","method":"hello"}']
        writing = asyncio.create_task(asyncio.to_thread(_write, theirs[1], b"\n".join(lines)))
        async with pipe_streams(theirs[0], ours[1]) as (heard, _):
            message = await heard.receive()
            assert message.message.method == "hello"
            await writing
            with pytest.raises(anyio.EndOfStream):
                await heard.receive()
        with open(ours[0], "rb") as answers:
            codes = [json.loads(line)["error"]["code"] for line in answers]
        assert codes == [-32700, -32600, -32600]

    run(scenario())


def _write(descriptor: int, data: bytes) -> None:
    with open(descriptor, "wb") as pipe:
        pipe.write(data)


def test_only_what_makes_sense_to_another_agent_is_lent():
    there = [listed(name) for name in ("Read", "AskUserQuestion", "history", "mcp__notes__add", "Agent", "Bash")]
    assert [tool.name for tool in chosen(there, None)] == ["Read", "Bash"]
    assert [tool.name for tool in chosen(there, ["mcp__notes__add", "Read"])] == ["Read", "mcp__notes__add"]
    for name in ("Agent", "AskUserQuestion", "Nothing"):
        with pytest.raises(UsageError, match=name):
            chosen(there, [name])


def test_only_this_machine_is_an_address():
    assert address("127.0.0.1:8808") == ("127.0.0.1", 8808)
    assert address("localhost:0") == ("127.0.0.1", 0)
    assert address("[::1]:7") == ("::1", 7)
    assert address("8808") == ("127.0.0.1", 8808)
    for text_ in ("0.0.0.0:1", "[::]:1", "10.0.0.1:1", "example.com:1", ":1", "127.0.0.1:", "127.0.0.1:70000", "", "x"):
        with pytest.raises(ValueError, match="·"):
            address(text_)


def test_a_token_is_kept_where_only_its_owner_reads_it(tmp_path: Path):
    file = tmp_path / "token"
    token, is_new = token_for(str(file))
    assert is_new
    assert token_for(str(file)) == (token, False)
    assert token_for(None) != token_for(None)
    file.chmod(0o640)
    with pytest.raises(UsageError, match="others can read"):
        token_for(str(file))
    file.chmod(0o600)
    for bad in (b"", b"short", b"two words, and long enough", "ein Schlüssel, länger".encode(), b"\xff" * 40):
        file.write_bytes(bad)
        with pytest.raises(UsageError, match="holds no token"):
            token_for(str(file))
    for lost in (tmp_path, tmp_path / "no" / "token"):
        with pytest.raises(UsageError):
            token_for(str(lost))
