"""Does what passed still hold after later edits? The commands that proved it run once more, without any model."""

import asyncio

from msgspec import Struct

from daedal.client import CallFailed, Client
from daedal.delivery.deliverables import Deliverable
from daedal.delivery.evidence import Proof, Ran
from daedal.delivery.hollow import ran_no_test
from daedal.delivery.plan import Terms
from daedal.delivery.session import Open
from daedal.protocol.events import ItemCompleted
from daedal.protocol.items import CommandExecution
from daedal.protocol.threads import ThreadStartParams, ToolCallParams
from daedal.protocol.wire import Notification

COMMAND_S = 600
OUTPUT_SHOWN = 400


class Checked(Struct, frozen=True, kw_only=True):
    deliverable: Deliverable
    ran: list[Ran]
    failure: str = ""
    """Which command failed, and how; empty where all succeeded."""


async def recheck(
    open_engine: Open,
    terms: Terms,
    stale: list[tuple[Deliverable, Proof]],
    stop: asyncio.Event,
    *,
    time_left_s: float | None,
) -> list[Checked] | None:
    """None where it was told to stop, or ran out of time, before everything was known."""
    tasks = asyncio.create_task(_recheck(open_engine, terms, stale)), asyncio.create_task(stop.wait())
    try:
        await asyncio.wait(tasks, timeout=time_left_s, return_when=asyncio.FIRST_COMPLETED)
        return tasks[0].result() if tasks[0].done() else None
    finally:
        for task in tasks:
            task.cancel()  # Leaving its engine ends whatever runs in it.
        await asyncio.gather(*tasks, return_exceptions=True)


async def _recheck(open_engine: Open, terms: Terms, stale: list[tuple[Deliverable, Proof]]) -> list[Checked]:
    """Each command runs once, however many deliverables it proves."""
    items: dict[str, CommandExecution] = {}

    def see(notification: Notification) -> None:
        match notification.params:
            case ItemCompleted(item=CommandExecution() as item):
                items[item.id] = item
            case _:
                pass

    outcomes: dict[str, tuple[Ran, str]] = {}
    async with open_engine(see) as client:
        thread_id = (await client.call("thread/start", _params(terms))).thread.id
        for command in dict.fromkeys(command for _, proof in stale for command in proof.commands):
            outcomes[command] = await _again(client, thread_id, command, items)
    return [_checked(one, proof, outcomes) for one, proof in stale]


async def _again(client: Client, thread_id: str, command: str, items: dict[str, CommandExecution]) -> tuple[Ran, str]:
    call = ToolCallParams(thread_id=thread_id, tool="Bash", input={"command": command, "timeout": COMMAND_S * 1000})
    try:
        answer = await client.call("thread/toolCall", call)
    except CallFailed as failure:
        return Ran(command=command, exit_code=-1, tree=""), str(failure)
    item = items.get(answer.tool_use_id)
    code = item.exit_code if item is not None and item.exit_code is not None else int(answer.is_error)
    ran = Ran(
        command=command,
        exit_code=code,
        tree="",
        is_hollow=ran_no_test(answer.content),
        item_id=answer.tool_use_id,
        thread_id=thread_id,
    )
    return ran, answer.content[-OUTPUT_SHOWN:]


def _checked(one: Deliverable, proof: Proof, outcomes: dict[str, tuple[Ran, str]]) -> Checked:
    tried = [outcomes[command] for command in proof.commands]
    failed = next(((ran, output) for ran, output in tried if ran.exit_code != 0 or ran.is_hollow), None)
    failure = f"`{failed[0].command}` ended with exit code {failed[0].exit_code}: {failed[1]}" if failed else ""
    return Checked(deliverable=one, ran=[ran for ran, _ in tried], failure=failure)


def _params(terms: Terms) -> ThreadStartParams:
    return ThreadStartParams(
        cwd=terms.project,
        without_model=True,
        guard=terms.command,
        allow_destructive=terms.allow_destructive,
        sandbox="danger-full-access" if terms.no_sandbox else None,
        allow=terms.allow,
    )
