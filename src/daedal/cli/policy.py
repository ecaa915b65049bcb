"""What would be decided? `daedal policy check` decides cases offline, `replay` the past under other rules."""

import argparse
import re
import sys
import time
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, cast

import msgspec

from daedal.cli.exit_codes import ExitCode
from daedal.cli.options import Options
from daedal.cli.parsing import Parser, Part
from daedal.cli.printing import one_line, table, visible
from daedal.cli.streams import put_json
from daedal.protocol.catalogue import say
from daedal.protocol.errors import UsageError

if TYPE_CHECKING:
    from daedal.app import Replayed

Decide = Callable[[dict[str, Any]], dict[str, Any]]
SUBJECT_MAX = 48
SECONDS = {"s": 1, "m": 60, "h": 3_600, "d": 86_400, "w": 604_800}


def parser() -> argparse.ArgumentParser:
    parser = Parser("policy")
    actions = parser.add_subparsers(
        dest="action",
        required=True,
        metavar="ACTION",
        parser_class=Part,
        help=say("cli.flag.action"),
    )
    check = actions.add_parser("check", help=say("cli.policy.check"))
    check.add_argument("kind", choices=["bash", "tool", "path", "hooks"], help=say("cli.policy.kind"))
    check.add_argument("file", nargs="?", metavar="FILE", help=say("cli.policy.file"))
    replay = actions.add_parser("replay", help=say("cli.policy.replay"))
    replay.add_argument("--rules", metavar="FILE", required=True, help=say("cli.policy.rules"))
    replay.add_argument("--since", metavar="TIME", default=None, help=say("cli.policy.since"))
    replay.add_argument("--all", action="store_true", help=say("cli.policy.all"))
    replay.add_argument("--json", action="store_true", help=say("cli.flag.json"))
    return parser


def run(options: Options) -> int:
    if options.action == "check":
        return _check(_decider(options.kind), _lines(options.file))
    return _replay(options)


def _decider(kind: str) -> Decide:
    match kind:
        case "bash":
            from daedal.permissions import bash_case as decide
        case "tool":
            from daedal.permissions import tool_case as decide
        case "path":
            from daedal.sandbox import path_case as decide
        case _:
            from daedal.hooks import hooks_case as decide
    return decide


def _lines(file: str | None) -> Iterable[bytes]:
    if file is None:
        return sys.stdin.buffer
    try:
        with open(file, "rb") as stream:
            return stream.read().splitlines()
    except OSError as error:
        raise UsageError(say("cli.policy.unreadable", path=file, error=error.strerror)) from error


def _check(decide: Decide, lines: Iterable[bytes]) -> int:
    """One answer per line, in order. A line that is no case is answered too, and makes the exit code 2."""
    code = ExitCode.DONE
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        case: dict[str, Any] = {}
        try:
            case = _case(line)
            answer = decide(case)
        except (msgspec.DecodeError, ValueError, RecursionError) as error:
            answer = {"decision": "invalid", "reason": f"line {number}: {error}", "rule": "invalid case"}
            code = ExitCode.USAGE
        answer = {"id": case.get("id"), **answer}
        put_json(msgspec.json.encode(answer))
    return code


def _case(line: bytes) -> dict[str, Any]:
    case = msgspec.json.decode(line)
    if not isinstance(case, dict):
        raise ValueError(say("cli.policy.no_object"))
    return cast("dict[str, Any]", case)


def _replay(options: Options) -> int:
    from daedal.app import open_ledger, read_rules, replayed

    rules, since = read_rules(options.rules), _since(options.since)
    with open_ledger() as ledger:
        found = list(replayed(ledger, rules, since=since)) if ledger is not None else []
    shown = [one for one in found if options.all or one.is_changed]
    if options.json:
        for one in shown:
            put_json(msgspec.json.encode(_told(one)))
        return ExitCode.DONE
    if shown:
        print(visible(table(say("cli.policy.headings").split("|"), [_row(one) for one in shown])))
    undecided = sum(one.after is None for one in found)
    changed = sum(one.is_changed for one in found)
    print(say("cli.policy.summary", calls=len(found), changed=changed, others=undecided))
    return ExitCode.DONE


def _since(text: str | None) -> str:
    """`30d`, `12h`, or a date as the ledger writes it; in UTC."""
    if text is None:
        return ""
    if match := re.fullmatch(r"([0-9]{1,9})([smhdw])", text):
        then = max(0, time.time() - int(match[1]) * SECONDS[match[2]])
        return time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(then))
    if re.fullmatch(r"\d{4}-\d\d-\d\d([ T]\d\d:\d\d(:\d\d)?)?", text):
        return text.replace("T", " ")
    raise UsageError(say("cli.policy.bad_since", text=text))


def _told(one: "Replayed") -> dict[str, Any]:
    call, after = one.call, one.after
    return {
        "created_at": call.created_at,
        "session_id": call.session_id,
        "tool": call.tool_name,
        "input": call.input,
        "before": {"decision": one.before, "rule": call.rule},
        "after": after and {"decision": after.verdict, "rule": after.rule, "reason": after.reason},
        "changed": one.is_changed,
    }


def _row(one: "Replayed") -> list[str]:
    call, after = one.call, one.after
    given = call.input or {}
    subject = next((str(given[key]) for key in ("command", "file_path", "path", "pattern", "url") if key in given), "")
    return [
        call.created_at[:16],
        call.session_id[:13],
        f"{call.tool_name} {one_line(subject, SUBJECT_MAX)}".strip(),
        f"{one.before} ({call.rule})",
        f"{after.verdict} ({after.rule})" if after else say("cli.policy.not_by_rules"),
    ]
