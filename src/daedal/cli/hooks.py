"""Which hooks are there, what would they say, what did they say? `daedal hooks`, with list, test and log."""

import argparse
import asyncio
import os
import sys
from typing import Any, cast

import msgspec

from daedal.app import Credentials, Settings, open_ledger, secret_names, settings_in_force
from daedal.cli.exit_codes import ExitCode
from daedal.cli.options import Options, whole_number
from daedal.cli.parsing import Parser, add_project_folder, typed
from daedal.cli.printing import one_line, table, visible
from daedal.cli.streams import warn
from daedal.config import Effective, database_path
from daedal.hooks import POINTS, Hook, HookRunner, hides_output, load_hooks, total_order
from daedal.ledger import Ledger, StoredHookRun
from daedal.protocol.catalogue import say
from daedal.protocol.errors import UsageError
from daedal.protocol.hooks import HookAnswer, HookEvent, HookScene
from daedal.protocol.records import HookRan
from daedal.protocol.redaction import Redactor

LIMIT = 20
TEXT_MAX = 300
FILE_BYTES_MAX = 16_777_216
NOTHING = HookAnswer()
OUTCOMES = ("ran", "denied", "failed", "timed_out", "invalid", "broken", "skipped")
SCENE = ("session_id", "conversation_id", "cwd", "permission_mode", "agent_id", "agent_type")


def parser() -> argparse.ArgumentParser:
    parser = Parser("hooks")
    parser.add_argument(
        "action", nargs="?", choices=["list", "test", "log"], default="list", help=say("cli.hooks.action")
    )
    names = ", ".join(HookEvent)
    parser.add_argument("event", nargs="?", metavar="EVENT", help=say("cli.hooks.event", names=names))
    parser.add_argument("--input", metavar="FILE", help=say("cli.hooks.input"))
    parser.add_argument("--session", metavar="ID", help=say("cli.hooks.session"))
    parser.add_argument("--limit", type=typed(whole_number), default=LIMIT, metavar="N", help=say("cli.hooks.limit"))
    parser.add_argument("--json", action="store_true", help=say("cli.flag.json"))
    add_project_folder(parser)
    return parser


def run(options: Options) -> int:
    if (options.action == "test") != (options.event is not None):
        raise UsageError(say("cli.hooks.event_with_test"))
    match options.action:
        case "log":
            return _log(options)
        case "test":
            return asyncio.run(_test(options))
        case _:
            return _list(options)


def _configured(options: Options) -> tuple[list[Hook], list[str], Effective[Settings]]:
    """The hooks in force in the folder, in their order, and why others are not."""
    folder = os.path.realpath(options.cd or os.getcwd())
    found = settings_in_force(folder, lambda trouble: warn(str(trouble)))
    for warning in found.warnings:
        warn(warning)
    hooks, invalid = load_hooks(found.value.hooks, lambda index: found.origin("hooks", index))
    return total_order(hooks), invalid, found


def _list(options: Options) -> int:
    hooks, invalid, _ = _configured(options)
    if options.json:
        print(msgspec.json.encode({"hooks": hooks, "invalid": invalid}).decode())
        return ExitCode.DONE
    if hooks:
        print(visible(table(say("cli.hooks.headings").split("|"), [_row(hook) for hook in hooks])))
    elif not invalid:
        print(say("cli.hooks.none"))
    for line in invalid:
        print(visible(say("cli.hooks.invalid", line=line)))
    return ExitCode.DONE


def _row(hook: Hook) -> list[str]:
    required = say("cli.hooks.required" if hook.required else "cli.hooks.not_required")
    matcher = one_line(hook.matcher, 30) or "*"
    return [str(hook.ordinal), hook.event, matcher, required, one_line(hook.command, 60), hook.source]


async def _test(options: Options) -> int:
    """Runs them for real; nothing is recorded. Raises UsageError."""
    if options.event not in list(HookEvent):
        raise UsageError(say("cli.hooks.no_such_event", name=options.event, names=", ".join(HookEvent)))
    event = HookEvent(options.event)
    given = _given(options.input)
    hooks, invalid, found = _configured(options)
    for line in invalid:
        warn(line)
    answer = await _fire(event, given, hooks, found.value, os.path.realpath(options.cd or os.getcwd()))
    if options.json:
        print(msgspec.json.encode(answer).decode())
    else:
        _print_answer(answer)
    return ExitCode.FAILED if answer.broken else ExitCode.DONE


async def _fire(
    event: HookEvent, given: dict[str, Any], hooks: list[Hook], settings: Settings, folder: str
) -> HookAnswer:
    from daedal.sandbox import ProcessSpawner

    names = secret_names(settings)
    for key in given.keys() - {field.name for field in msgspec.structs.fields(POINTS[event].stdin)}:
        warn(say("cli.hooks.unknown_field", key=key, event=event))
    base = {"session_id": "test", "conversation_id": "test", "cwd": folder}
    spawner = ProcessSpawner(names)
    try:
        scene = msgspec.convert({**base, **{key: given[key] for key in SCENE if key in given}}, HookScene)
        runner = HookRunner(
            hooks,
            spawner=spawner,
            redact=Redactor(Credentials().secrets(names)),
            db_path=database_path(),
            project_dir=folder,
        )
        return await runner.fire(event, scene, {key: value for key, value in given.items() if key not in SCENE})
    except msgspec.ValidationError as error:
        raise UsageError(say("cli.hooks.bad_fields", event=event, error=error)) from error
    finally:
        await spawner.close()


def _given(file: str | None) -> dict[str, Any]:
    """The event's fields. Raises UsageError."""
    if file is None:
        return {}
    try:
        if file == "-":
            content = sys.stdin.buffer.read(FILE_BYTES_MAX)
        else:
            with open(file, "rb") as stream:
                content = stream.read(FILE_BYTES_MAX)
        fields = msgspec.json.decode(content)
    except OSError as error:
        raise UsageError(say("cli.hooks.unreadable", file=file, error=error.strerror)) from error
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        raise UsageError(say("cli.hooks.no_json", file=file, error=error)) from error
    if not isinstance(fields, dict):
        raise UsageError(say("cli.hooks.no_json", file=file, error=type(fields).__name__))
    return cast("dict[str, Any]", fields)


def _print_answer(answer: HookAnswer) -> None:
    if not answer.runs:
        print(say("cli.hooks.nobody"))
    for run in answer.runs:
        print(visible(_told(run)))
    plain = msgspec.to_builtins(answer)
    said = {key: plain[key] for key in plain if key != "runs" and getattr(answer, key) != getattr(NOTHING, key)}
    print(say("cli.hooks.answer", answer=visible(msgspec.json.encode(said).decode())))


def _log(options: Options) -> int:
    with open_ledger() as ledger:
        runs = [] if ledger is None else asyncio.run(_recorded(ledger, options))
    if options.json:
        print(msgspec.json.encode(runs).decode())
    elif not runs:
        print(say("cli.hooks.no_runs"))
    else:
        for run in runs:
            print(visible(f"{run.started_at[:19]}  {run.session_id[:13]}  {_told(run)}"))
    return ExitCode.DONE


async def _recorded(ledger: Ledger, options: Options) -> list[StoredHookRun]:
    """Newest first."""
    session = None if options.session is None else (await ledger.find_session(options.session)).session_id
    return ledger.hook_runs(session_id=session, limit=options.limit)


def _told(run: HookRan) -> str:
    """One run or skip on one line: what became of it, and why."""
    known = run.outcome if run.outcome in OUTCOMES else OUTCOMES[0]
    what = say(f"cli.hooks.outcome_{known}", code=run.exit_code, reason=run.skipped_reason)
    subject = f"{run.hook_event}({one_line(run.tool_name, 60)})" if run.tool_name else run.hook_event
    line = f"[{run.hook_ordinal}] {subject}: {what}: {one_line(run.command, 80)}"
    printed = "" if hides_output(run.stdout_text) else run.stdout_text or ""
    for text in (printed, run.stderr_text or ""):
        if text.strip():
            line += f"\n      {one_line(text, TEXT_MAX)}"
    return line
