"""How does a person make one tool call by hand? `daedal --eval JSON`: the same gate, tools and transcript as a turn."""

import argparse
import asyncio
import os
from typing import Any

import msgspec

from daedal.app import HouseOptions, open_house
from daedal.cli.absence import decline
from daedal.cli.exit_codes import ExitCode, of_kind
from daedal.cli.options import Options, permissions_of
from daedal.cli.parsing import Parser, add_permissions, add_project_folder
from daedal.cli.settings_folder import settings_folder
from daedal.cli.signals import Signals
from daedal.cli.streams import complain, put_json, warn, warn_of_dangers
from daedal.client import CallFailed, Client
from daedal.protocol.catalogue import say
from daedal.protocol.errors import UsageError
from daedal.protocol.events import Warned
from daedal.protocol.threads import (
    ThreadListParams,
    ThreadResumeParams,
    ThreadStartParams,
    ThreadStartResponse,
    ToolCallParams,
    ToolCallResponse,
)
from daedal.protocol.turns import ErrorKind
from daedal.protocol.wire import Notification

RECENT_MAX = 20


class Wanted(msgspec.Struct, forbid_unknown_fields=True):
    """What `--eval` takes."""

    tool: str
    input: dict[str, Any] = {}


def parser() -> argparse.ArgumentParser:
    parser = Parser("eval", flag="--eval")
    parser.add_argument("--eval", metavar="JSON", required=True, dest="call", help=say("cli.eval.call"))
    parser.add_argument("-r", "--resume", metavar="ID", help=say("cli.eval.resume"))
    add_permissions(parser)
    add_project_folder(parser)
    return parser


def run(options: Options) -> int:
    try:
        wanted = msgspec.json.decode(options.call.encode("utf-8", "surrogateescape"), type=Wanted)
    except msgspec.MsgspecError as error:
        raise UsageError(say("cli.eval.malformed", error=error)) from error
    warn_of_dangers(flag=options.no_sandbox, destructive=options.allow_destructive)
    try:
        response = asyncio.run(_call(options, wanted))
    except asyncio.CancelledError:
        return ExitCode.INTERRUPTED
    except CallFailed as failure:
        complain(failure)
        return of_kind(failure.kind)
    result = {"tool_use_id": response.tool_use_id, "content": response.content, "is_error": response.is_error}
    put_json(msgspec.json.encode(result))
    return ExitCode.FAILED if response.is_error else ExitCode.DONE


async def _call(options: Options, wanted: Wanted) -> ToolCallResponse:
    signals, task = Signals(), asyncio.current_task()
    assert task is not None
    house = HouseOptions(cwd=await settings_folder(options))
    async with open_house(house, on_event=_see, on_request=decline, on_warning=warn) as client:
        signals.ask(task.cancel)
        thread = await _thread(client, options)
        params = ToolCallParams(thread_id=thread.thread.id, tool=wanted.tool, input=wanted.input)
        return await client.call("thread/toolCall", params)


def _resumed(thread_id: str, start: ThreadStartParams) -> ThreadResumeParams:
    return ThreadResumeParams.with_options(thread_id, start, without_model=True)


async def _thread(client: Client, options: Options) -> ThreadStartResponse:
    folder = os.path.realpath(options.cd or os.getcwd())
    start = ThreadStartParams(
        cwd=options.cd if options.resume else folder,
        **permissions_of(options),
        without_model=True,
    )
    if options.resume:
        return await client.call("thread/resume", _resumed(options.resume, start))
    # Calls by hand in one folder share a session, so that its transcript reads as one line of work.
    recent = (await client.call("thread/list", ThreadListParams(limit=RECENT_MAX, cwd=folder))).data
    for thread in recent:
        if not thread.model_provider:
            try:
                return await client.call("thread/resume", _resumed(thread.id, start))
            except CallFailed as failure:
                if failure.kind is not ErrorKind.LEDGER_BUSY:
                    raise
                break  # Another process has it right now; a new session serves as well.
    return await client.call("thread/start", start)


def _see(notification: Notification) -> None:
    """The result says it all, but for what hooks have to say to the person."""
    if isinstance(notification.params, Warned):
        warn(notification.params.message)
