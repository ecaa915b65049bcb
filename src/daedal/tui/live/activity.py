"""What is it doing, since when, and what has it cost? And whom does it wait for?"""

import time

from daedal.protocol.catalogue import say
from daedal.tui.blocks.calls import line, name_of, subject_of
from daedal.tui.blocks.notices import figures
from daedal.tui.terminal.visible import flat, visible
from daedal.tui.terminal.widths import Row, cut, cut_row
from daedal.tui.view import Call, View

TAIL_LINES = 4
CALLS_MAX = 5


def running_rows(view: View, columns: int) -> list[Row]:
    """Calls that run, with the newest of what they say."""
    rows: list[Row] = []
    calls = list(view.calls.values())
    for call in calls[:CALLS_MAX]:
        indent = "  ↳ " if call.is_aside else ""
        taken = int(time.monotonic() - call.since)
        facts: Row = [("quiet", f" · {say('tui.seconds', seconds=taken)}")] if taken >= 1 else []
        rows.append(line(call.item, columns, mark=("accent", f"{indent}◌ "), facts=facts))
        rows += [[("quiet", cut(f"  │ {text}", columns))] for text in _tail(call)]
    if len(calls) > CALLS_MAX:
        rows.append([("quiet", say("tui.more_calls", count=len(calls) - CALLS_MAX))])
    return rows


def _tail(call: Call) -> list[str]:
    lines = [text for text in visible(call.output).split("\n") if text.strip()]
    return lines[-TAIL_LINES:]


def activity_row(view: View, columns: int, *, is_asking: bool, is_stopping: bool) -> Row:
    told = figures(time.monotonic() - view.turn_since, view.turn_tokens, view.turn_cost)
    if is_asking or view.is_waiting:
        return cut_row([("warn", f"◆ {say('tui.waiting_for_you')}"), ("quiet", f" · {told}")], columns)
    what = say("tui.stopping") if is_stopping else _doing(view, columns)
    return cut_row([("accent", "● "), ("", what), ("quiet", f" · {told} · {say('tui.esc_stops')}")], columns)


def _doing(view: View, columns: int) -> str:
    if view.trouble:
        return say("tui.trying_again", reason=cut(flat(view.trouble), max(columns // 2, 20)))
    own = [call for call in view.calls.values() if not call.is_aside]
    if own:
        return say("tui.running", name=name_of(own[-1].item), subject=cut(subject_of(own[-1].item), 30)).rstrip()
    if view.message is not None:
        return say("tui.writing")
    return say("tui.thinking") if view.thinking else say("tui.waiting_for_model")


def plan_rows(view: View, columns: int, rows_max: int) -> list[Row]:
    """The model's list of what is to be done, around what it does now."""
    steps = view.plan
    if not steps or all(step.status == "completed" for step in steps):
        return []
    current = next((number for number, step in enumerate(steps) if step.status != "completed"), 0)
    first = max(0, min(current - 1, len(steps) - rows_max))
    looks = {"completed": ("☑", "quiet"), "inProgress": ("▸", "accent")}
    rows: list[Row] = []
    for step in steps[first : first + rows_max]:
        mark, style = looks.get(step.status, ("☐", ""))
        rows.append([(style, cut(f"  {mark} {flat(step.step)}", columns))])
    return rows
