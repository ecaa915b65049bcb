"""How does what we tell sound to a client that was written for Codex? The same, but for commands.

Codex names a command by the words that start it, quoted as for a shell, and its clients take them apart again. Ours
are scripts: unquoted they would be shown as something else than what runs.
"""

from shlex import quote
from typing import Any

import msgspec
from msgspec.structs import replace

from daedal.protocol.approvals import APPROVAL_METHODS, ApprovalDecision, ApprovalRequest
from daedal.protocol.events import ItemCompleted, ItemStarted
from daedal.protocol.items import CommandExecution, Item
from daedal.protocol.shelving import TurnListResponse
from daedal.protocol.threads import Thread, ThreadListResponse, ThreadReadResponse, ThreadStartResponse
from daedal.protocol.turns import Turn
from daedal.protocol.wire import Notification, Request, Response

SHELL = "/bin/bash -lc"


def as_codex_says(envelope: Request | Response | Notification) -> Request | Response | Notification:
    match envelope:
        case Notification(params=ItemStarted() | ItemCompleted() as event):
            if isinstance(event.item, CommandExecution):
                return replace(envelope, params=replace(event, item=_item(event.item)))
        case Request(method=method, params=ApprovalRequest() as asked) if method == APPROVAL_METHODS["Bash"]:
            return replace(envelope, params=_asked(asked))
        case Response(result=ThreadStartResponse() | ThreadReadResponse() as result):
            return replace(envelope, result=replace(result, thread=_thread(result.thread)))
        case Response(result=TurnListResponse() as result):
            return replace(envelope, result=replace(result, data=[_turn(turn) for turn in result.data]))
        case Response(result=ThreadListResponse() as result):
            return replace(envelope, result=replace(result, data=[_thread(thread) for thread in result.data]))
        case _:
            pass
    return envelope


def _asked(asked: ApprovalRequest) -> dict[str, Any]:
    decisions = [ApprovalDecision.ACCEPT, ApprovalDecision.DECLINE, ApprovalDecision.CANCEL]
    if asked.offers.for_session:
        decisions.insert(1, ApprovalDecision.ACCEPT_FOR_SESSION)
    told = msgspec.to_builtins(replace(asked, command=_quoted(asked.command or "")))
    return {**told, "availableDecisions": decisions}


def _thread(thread: Thread) -> Thread:
    return replace(thread, turns=[_turn(turn) for turn in thread.turns]) if thread.turns else thread


def _turn(turn: Turn) -> Turn:
    return replace(turn, items=[_item(item) for item in turn.items]) if turn.items else turn


def _item(item: Item) -> Item:
    return replace(item, command=_quoted(item.command)) if isinstance(item, CommandExecution) else item


def _quoted(command: str) -> str:
    return f"{SHELL} {quote(command)}"
