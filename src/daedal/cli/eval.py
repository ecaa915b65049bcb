"""How does a person make one tool call by hand? `daedal --eval JSON`: the same gate, tools and transcript as a turn."""

import argparse
import asyncio
import os
import sys
from typing import Any

import msgspec

from daedal.app import HouseOptions, open_house
from daedal.cli.exit_codes import ExitCode, of_kind
from daedal.cli.parsing import Parser, add_approval, add_project_folder
from daedal.cli.printing import warn
from daedal.client import CallFailed, Client
from daedal.protocol.approvals import ApprovalAnswer, ApprovalDecision
from daedal.protocol.catalogue import say
from daedal.protocol.errors import UsageError
from daedal.protocol.threads import (
    ThreadListParams,
    ThreadResumeParams,
    ThreadStartParams,
    ThreadStartResponse,
    ToolCallParams,
    ToolCallResponse,
)
from daedal.protocol.verdict import Posture
from daedal.protocol.wire import Notification, Request

RECENT_MAX = 20


class Wanted(msgspec.Struct, forbid_unknown_fields=True):
    """What `--eval` takes."""

    tool: str
    input: dict[str, Any] = {}


def parser() -> argparse.ArgumentParser:
    parser = Parser("eval")
    parser.add_argument("--eval", metavar="JSON", required=True, dest="call", help=say("cli.eval.call"))
    parser.add_argument("-r", "--resume", metavar="ID", help=say("cli.eval.resume"))
    add_approval(parser)
    add_project_folder(parser)
    return parser


def run(options: argparse.Namespace) -> int:
    try:
        wanted = msgspec.json.decode(options.call.encode("utf-8", "surrogateescape"), type=Wanted)
    except msgspec.MsgspecError as error:
        raise UsageError(say("cli.eval.malformed", error=error)) from error
    try:
        response = asyncio.run(_call(options, wanted))
    except CallFailed as failure:
        sys.stderr.write(say("cli.error", message=failure) + "\n")
        return of_kind(failure.kind)
    result = {"tool_use_id": response.tool_use_id, "content": response.content, "is_error": response.is_error}
    sys.stdout.write(msgspec.json.encode(result).decode() + "\n")
    return ExitCode.FAILED if response.is_error else ExitCode.DONE


async def _call(options: argparse.Namespace, wanted: Wanted) -> ToolCallResponse:
    async with open_house(
        HouseOptions(cwd=options.cd), on_event=_ignore, on_request=_decline, on_warning=warn
    ) as client:
        thread = await _thread(client, options)
        params = ToolCallParams(thread_id=thread.thread.id, tool=wanted.tool, input=wanted.input)
        return await client.call("thread/toolCall", params)


async def _thread(client: Client, options: argparse.Namespace) -> ThreadStartResponse:
    posture = Posture(options.approval) if options.approval else None
    cwd = os.path.realpath(options.cd or os.getcwd())
    if options.resume:
        resumed = ThreadResumeParams(thread_id=options.resume, cwd=cwd, approval_policy=posture, without_model=True)
        return await client.call("thread/resume", resumed)
    # Calls by hand in one folder share a session, so that its transcript reads as one line of work.
    recent = (await client.call("thread/list", ThreadListParams(limit=RECENT_MAX, cwd=cwd))).data
    for thread in recent:
        if not thread.model_provider:
            try:
                again = ThreadResumeParams(thread_id=thread.id, cwd=cwd, approval_policy=posture, without_model=True)
                return await client.call("thread/resume", again)
            except CallFailed:
                break  # Another process has it right now; a new session serves as well.
    return await client.call("thread/start", ThreadStartParams(cwd=cwd, approval_policy=posture, without_model=True))


def _ignore(notification: Notification) -> None:
    """The result says it all."""
    del notification


async def _decline(request: Request) -> ApprovalAnswer:
    del request
    return ApprovalAnswer(decision=ApprovalDecision.DECLINE, by_default=True)
