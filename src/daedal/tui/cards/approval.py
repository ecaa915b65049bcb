"""May it do this? What would happen and which rule asks, then: once, for the session, always, or no and why."""

import asyncio
import time
from typing import Any

from msgspec.structs import replace

from daedal.protocol.approvals import ApprovalAnswer, ApprovalDecision, ApprovalRequest
from daedal.protocol.catalogue import say
from daedal.tui.cards.card import Card
from daedal.tui.cards.granting import Granting
from daedal.tui.cards.proposal import NEAR_S, fact_rows, near, title, what_rows
from daedal.tui.face import Face
from daedal.tui.overlays.asking import Asking
from daedal.tui.overlays.choosing import Option
from daedal.tui.terminal.keys import Key
from daedal.tui.terminal.widths import Row

SHORT = 36
"""A rule that is said in the line of its choice."""
PLAN_TOOL = "ExitPlanMode"
SESSION, ALWAYS, WHY, CHANGE, WRITE = object(), object(), object(), object(), object()
"""What needs a further step: which rule, whose settings, why not, which command instead, and the last in an editor."""
YES = ApprovalAnswer(decision=ApprovalDecision.ACCEPT)
NO = ApprovalAnswer(decision=ApprovalDecision.DECLINE)
STOP = ApprovalAnswer(decision=ApprovalDecision.CANCEL)


class Approval(Card):
    def __init__(self, face: Face, asked: ApprovalRequest, *, is_changed: bool) -> None:
        super().__init__(face, say("tui.approval.question"), _options(asked, is_changed=is_changed))
        self._asked = asked
        self._is_changed = is_changed

    def head(self, columns: int) -> list[Row]:
        del columns
        row: Row = [("warn", "◆ "), ("heading", title(self._asked, self._face.view.thread_id))]
        return [[*row, ("warn", f" · {say('tui.approval.changed')}")] if self._is_changed else row]

    def body(self, columns: int) -> list[Row]:
        return what_rows(self._asked, columns)

    def facts(self, columns: int) -> list[Row]:
        return fact_rows(self._asked, columns)

    def shortcut(self, key: Key) -> bool:
        if key.name == "ctrl+g" and self._asked.is_editable:
            self.finish(WRITE)
            return True
        return False


async def answer(face: Face, asked: ApprovalRequest) -> ApprovalAnswer | None:
    if asked.tool == PLAN_TOOL and isinstance(asked.arguments.get("plan"), str):
        from daedal.tui.cards.plan import answer as plan_answer

        return await plan_answer(face, asked)
    # The card says when time is running out, though nothing else happens then.
    until_near_s = asked.deadline_ms / 1000 - NEAR_S - time.time()
    reminder = asyncio.get_running_loop().call_later(max(until_near_s, 0), face.redraw)
    try:
        return await _settled(face, asked)
    finally:
        reminder.cancel()


async def _settled(face: Face, asked: ApprovalRequest) -> ApprovalAnswer:
    """Every further step leads back to the card by Esc."""
    original = asked.command
    while True:
        is_changed = asked.command != original
        chosen = await face.show(Approval(face, asked, is_changed=is_changed))
        if chosen is None:
            return STOP
        if chosen is CHANGE or chosen is WRITE:
            asked = await _changed(face, asked, in_editor=chosen is WRITE)
            continue
        said = await _step(face, asked, chosen)
        if said is not None:
            is_yes = said.decision is ApprovalDecision.ACCEPT
            return replace(said, arguments={"command": asked.command}) if is_changed and is_yes else said


async def _step(face: Face, asked: ApprovalRequest, chosen: object) -> ApprovalAnswer | None:
    if chosen is SESSION:
        return await face.show(Granting(say("tui.approval.which_session"), _session(asked)))
    if chosen is ALWAYS:
        return await face.show(Granting(say("tui.approval.which_always"), _always(asked)))
    if chosen is WHY:
        why = await face.show(Asking(say("tui.approval.why")))
        return None if why is None else replace(NO, message=why)
    return chosen if isinstance(chosen, ApprovalAnswer) else None


async def _changed(face: Face, asked: ApprovalRequest, *, in_editor: bool) -> ApprovalRequest:
    """Lines are edited here, scripts in the person's own editor."""
    command = asked.command or ""
    if in_editor or "\n" in command:
        said = await face.edit(command)
        said = said.rstrip("\n") if said is not None else None
    else:
        said = await face.show(Asking(say("tui.approval.change_title"), text=command))
    return replace(asked, command=said) if said and said.strip() else asked


def _options(asked: ApprovalRequest, *, is_changed: bool) -> list[Option]:
    """What is granted, and how long it holds, is said before it is."""
    options = [Option(say("tui.approval.once"), YES, letter="y")]
    if not is_changed:
        session, always = asked.offers.for_session, asked.offers.always
        if len(session) == 1 and len(session[0]) <= SHORT:
            options.append(Option(say("tui.approval.session", rule=session[0]), _session(asked)[0].value, letter="s"))
        elif session:
            options.append(Option(say("tui.approval.session_more"), SESSION, letter="s"))
        if always:
            options.append(Option(say("tui.approval.always_more"), ALWAYS, letter="a"))
    options.append(Option(say("tui.approval.no"), NO, letter="n"))
    options.append(Option(say("tui.approval.no_why"), WHY, letter="e"))
    if asked.is_editable and asked.command is not None:
        options.append(Option(say("tui.approval.change"), CHANGE, letter="c"))
    return options


def _session(asked: ApprovalRequest) -> list[Option]:
    return [
        Option(rule, ApprovalAnswer(decision=ApprovalDecision.ACCEPT_FOR_SESSION, rule=rule))
        for rule in asked.offers.for_session
    ]


def _always(asked: ApprovalRequest) -> list[Option]:
    """Every rule with every place where it could be written down."""
    files: dict[str, str] = asked.offers.files or {"user": ""}
    return [
        Option(rule, _granted(rule, scope), say(f"tui.approval.scope_{scope}", file=_named(file, asked.cwd)).rstrip())
        for rule in asked.offers.always
        for scope, file in files.items()
        if scope in ("user", "project")
    ]


def _named(file: str, cwd: str) -> str:
    return near(file, cwd) if file else ""


def _granted(rule: str, scope: Any) -> ApprovalAnswer:
    return ApprovalAnswer(decision=ApprovalDecision.ACCEPT_ALWAYS, rule=rule, scope=scope)
