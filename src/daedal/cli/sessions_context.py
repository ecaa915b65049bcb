"""What fills a session's window, and how is it made short again? `daedal sessions context ID` and `compact ID`."""

import asyncio
from collections.abc import Awaitable, Callable

import msgspec

from daedal.app import HouseOptions, open_house, open_ledger
from daedal.cli.absence import decline
from daedal.cli.exit_codes import ExitCode, of_kind, of_turn
from daedal.cli.options import Options
from daedal.cli.printing import table, visible
from daedal.cli.streams import complain, put_json, warn
from daedal.client import CallFailed, Client
from daedal.protocol.catalogue import say
from daedal.protocol.events import TurnCompleted, Warned
from daedal.protocol.folding import ContextReadParams, ContextReadResponse, ThreadCompactParams
from daedal.protocol.threads import ThreadResumeParams
from daedal.protocol.turns import Turn
from daedal.protocol.wire import Notification

BAR = 40
"""Characters for a whole window."""


async def show(options: Options) -> int:
    """What would be sent now, by its parts."""
    async with open_house(await _house(options), on_event=_ignore, on_request=decline, on_warning=warn) as client:
        return await _answered(lambda: _shown(client, options))


async def _shown(client: Client, options: Options) -> int:
    context = await client.call("thread/context/read", ContextReadParams(thread_id=options.id))
    if options.json:
        put_json(msgspec.json.encode(context))
    else:
        print(visible(drawn(context)))
    return ExitCode.DONE


async def compact(options: Options) -> int:
    """A turn that folds it; waits for its end."""
    over: asyncio.Future[Turn] = asyncio.get_running_loop().create_future()

    def see(notification: Notification) -> None:
        told = notification.params
        if isinstance(told, TurnCompleted) and not over.done():
            over.set_result(told.turn)
        elif isinstance(told, Warned):
            warn(told.message)

    async with open_house(await _house(options), on_event=see, on_request=decline, on_warning=warn) as client:
        return await _answered(lambda: _compacted(client, options, over))


async def _compacted(client: Client, options: Options, over: asyncio.Future[Turn]) -> int:
    opened = await client.call("thread/resume", ThreadResumeParams(thread_id=options.id, exclude_turns=True))
    thread_id = opened.thread.id
    before = await client.call("thread/context/read", ContextReadParams(thread_id=thread_id))
    await client.call("thread/compact/start", ThreadCompactParams(thread_id=thread_id, focus=options.focus or ""))
    turn = await over
    if turn.error is not None:
        complain(turn.error.message)
        return of_turn(turn)
    after = await client.call("thread/context/read", ContextReadParams(thread_id=thread_id))
    if options.json:
        put_json(msgspec.json.encode({"before": before, "after": after}))
    else:
        print(
            say("cli.sessions.folded", id=thread_id, before=f"{before.used_tokens:,}", after=f"{after.used_tokens:,}")
        )
    return ExitCode.DONE


async def _house(options: Options) -> HouseOptions:
    """With the settings of the session's own folder."""
    with open_ledger() as ledger:
        return HouseOptions(cwd=None if ledger is None else (await ledger.find_session(options.id)).project_dir)


async def _answered(work: Callable[[], Awaitable[int]]) -> int:
    try:
        return await work()
    except CallFailed as failed:
        complain(str(failed))
        return of_kind(failed.kind)


def _ignore(notification: Notification) -> None:
    del notification


def drawn(context: ContextReadResponse) -> str:
    """A line for each part, with a bar where the window is known."""
    window = context.context_window
    whole = window or context.used_tokens or 1
    rows = [
        [
            say(f"cli.sessions.part.{part.kind}"),
            f"{part.tokens:,}".rjust(9),
            f"{100 * part.tokens / whole:.1f}%".rjust(6),
            ("·" if part.kind == "free" else "█") * round(BAR * part.tokens / whole),
        ]
        for part in context.parts
    ]
    head = say(
        "cli.sessions.context",
        used=f"{context.used_tokens:,}",
        about=say("cli.sessions.about_so_many") if context.is_estimate else "",
        window=f"{window:,}" if window else say("cli.sessions.unknown_window"),
        model=context.model or "-",
        provider=context.model_provider or "-",
    )
    lines = [head, table(say("cli.sessions.context_headings").split("|"), rows)]
    if context.threshold_tokens is not None:
        lines.append(say("cli.sessions.threshold", tokens=f"{context.threshold_tokens:,}", folds=context.folds))
    else:
        lines.append(say("cli.sessions.no_threshold", folds=context.folds))
    if context.cached_tokens is not None:
        lines.append(say("cli.sessions.cached", tokens=f"{context.cached_tokens:,}"))
    return "\n".join(lines)
