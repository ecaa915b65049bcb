"""Is the plan good? It is read, edited, approved together with how to go on, or sent back with what is missing."""

from msgspec.structs import replace

from daedal.protocol.approvals import ApprovalAnswer, ApprovalDecision, ApprovalRequest
from daedal.protocol.catalogue import say
from daedal.tui.cards.card import Card
from daedal.tui.cards.proposal import title
from daedal.tui.face import Face
from daedal.tui.markdown.rendering import render
from daedal.tui.overlays.asking import Asking
from daedal.tui.overlays.choosing import Option
from daedal.tui.terminal.keys import Key
from daedal.tui.terminal.widths import Row, row_width, wrap

BACK, EDIT = object(), object()
NO = ApprovalAnswer(decision=ApprovalDecision.DECLINE)


class PlanCard(Card):
    def __init__(self, face: Face, asked: ApprovalRequest, plan: str, *, is_changed: bool) -> None:
        super().__init__(face, say("tui.plan_card.question"), _options(asked))
        self._asked = asked
        self._plan = plan
        self._is_changed = is_changed

    def head(self, columns: int) -> list[Row]:
        del columns
        changed = f" · {say('tui.approval.changed')}" if self._is_changed else ""
        who = title(self._asked, self._face.view.thread_id) if self._is_other else say("tui.plan_card.title")
        return [[("warn", "◆ "), ("heading", who), ("warn", changed)]]

    @property
    def _is_other(self) -> bool:
        return self._asked.thread_id != self._face.view.thread_id

    def body(self, columns: int) -> list[Row]:
        indent: Row = [("", "  ")]
        rows = [[*indent, *row] if row else row for row in render(self._plan, columns - 2)]
        return [
            piece for row in rows for piece in (wrap(row, columns, rest=indent) if row_width(row) > columns else [row])
        ]

    def facts(self, columns: int) -> list[Row]:
        del columns
        return []

    def shortcut(self, key: Key) -> bool:
        if key.name == "ctrl+g" and self._asked.is_editable:
            self.finish(EDIT)
            return True
        return False


async def answer(face: Face, asked: ApprovalRequest) -> ApprovalAnswer:
    original = plan = str(asked.arguments["plan"])
    while True:
        chosen = await face.show(PlanCard(face, asked, plan, is_changed=plan != original))
        if chosen is None:
            return ApprovalAnswer(decision=ApprovalDecision.CANCEL)
        if chosen is EDIT:
            edited = await face.edit(plan)
            plan = edited if edited is not None and edited.strip() else plan
        elif chosen is BACK:
            comment = await face.show(Asking(say("tui.plan_card.comment")))
            if comment is not None:
                return replace(NO, message=comment)
        elif isinstance(chosen, ApprovalAnswer):
            return replace(chosen, arguments={"plan": plan}) if plan != original else chosen


def _options(asked: ApprovalRequest) -> list[Option]:
    options = [
        Option(say("tui.plan_card.yes"), _yes("default"), letter="y"),
        Option(say("tui.plan_card.yes_edits"), _yes("acceptEdits"), letter="a"),
        Option(say("tui.plan_card.yes_all"), _yes(None), letter="w"),
        Option(say("tui.plan_card.no"), BACK, letter="n"),
    ]
    if asked.is_editable:
        options.append(Option(say("tui.plan_card.edit"), EDIT, letter="e"))
    return options


def _yes(mode: str | None) -> ApprovalAnswer:
    return ApprovalAnswer(decision=ApprovalDecision.ACCEPT, mode=mode)
