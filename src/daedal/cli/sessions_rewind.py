"""How does a session go back to an earlier turn? `daedal sessions rewind ID` lists the turns, `--before TURN` goes."""

import time

import msgspec

from daedal.app import HouseOptions, open_house, open_ledger
from daedal.cli.absence import decline
from daedal.cli.exit_codes import ExitCode, of_kind
from daedal.cli.options import Options
from daedal.cli.printing import one_line, table, visible
from daedal.cli.streams import complain, put_json, warn
from daedal.client import CallFailed, Client
from daedal.protocol.catalogue import say
from daedal.protocol.errors import UsageError
from daedal.protocol.rewinding import RewindListParams, RewindParams, RewindPoint, RewindResponse
from daedal.protocol.threads import ThreadResumeParams
from daedal.protocol.wire import Notification

WORDS_MAX = 50
EFFECT_MAX = 100
ID_SHOWN = 13


async def rewind(options: Options) -> int:
    async with open_house(await _house(options), on_event=_ignore, on_request=decline, on_warning=warn) as client:
        try:
            return await _rewound(client, options)
        except CallFailed as failed:
            complain(str(failed))
            return of_kind(failed.kind)


async def _house(options: Options) -> HouseOptions:
    """With the settings of the session's own folder."""
    with open_ledger() as ledger:
        return HouseOptions(cwd=None if ledger is None else (await ledger.find_session(options.id)).project_dir)


def _ignore(notification: Notification) -> None:
    del notification


async def _rewound(client: Client, options: Options) -> int:
    points = (await client.call("thread/rewind/list", RewindListParams(thread_id=options.id))).data
    if options.before is None:
        if options.json:
            put_json(msgspec.json.encode(points))
        else:
            print(visible(_listed(points) if points else say("cli.sessions.rewind_none")))
        return ExitCode.DONE
    both = not options.files and not options.conversation
    opened = await client.call(
        "thread/resume", ThreadResumeParams(thread_id=options.id, without_model=True, exclude_turns=True)
    )
    done = await client.call(
        "thread/rewind",
        RewindParams(
            thread_id=opened.thread.id,
            before_turn_id=_turn(points, options.before),
            conversation=options.conversation or both,
            files=options.files or both,
            force=options.force,
            dry_run=options.dry_run,
        ),
    )
    if options.json:
        put_json(msgspec.json.encode(done))
    else:
        print(visible(_told(done, options)))
    return ExitCode.FAILED if done.kept else ExitCode.DONE


def _turn(points: list[RewindPoint], wanted: str) -> str:
    """By its number in the list, `last`, or the beginning of its id."""
    if wanted == "last":
        found = [point.turn_id for point in points if point.in_context][-1:]
    elif wanted.isascii() and wanted.isdigit() and 0 < int(wanted) <= len(points):
        found = [points[int(wanted) - 1].turn_id]
    else:
        found = [point.turn_id for point in points if point.turn_id.startswith(wanted)]
    if len(found) != 1:
        raise UsageError(say("cli.sessions.rewind_turn", turn=wanted))
    return found[0]


def _listed(points: list[RewindPoint]) -> str:
    rows = [
        [
            str(number),
            point.turn_id[:ID_SHOWN],
            time.strftime("%Y-%m-%d %H:%M", time.localtime(point.started_at)),
            ("" if point.in_context else "- ") + (one_line(point.text, WORDS_MAX) or f"({point.kind})"),
            str(len(point.files)),
            one_line("; ".join(effect.text for effect in point.effects), EFFECT_MAX),
        ]
        for number, point in enumerate(points, start=1)
    ]
    return table(say("cli.sessions.rewind_headings").split("|"), rows)


def _told(done: RewindResponse, options: Options) -> str:
    lines = [say("cli.sessions.rewind_tried" if options.dry_run else "cli.sessions.rewound", turns=len(done.turns))]
    lines += [say(f"cli.sessions.rewind_{file.action}", path=file.path) for file in done.restored]
    lines += [say("cli.sessions.rewind_kept", path=file.path, why=file.detail) for file in done.kept]
    lines += [say("cli.sessions.rewind_effect", what=one_line(effect.text, EFFECT_MAX)) for effect in done.effects]
    if done.turn_id:
        lines.append(say("cli.sessions.rewind_undo", id=done.thread.id, turn=done.turn_id))
    return "\n".join(lines)
