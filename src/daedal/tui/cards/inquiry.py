"""What does the model, or an MCP server, want to know? Questions side by side, with choices or a field to write in.

Several are looked over before they are sent. Nothing is opened and nothing sent without a key for it.
"""

from daedal.protocol.catalogue import say
from daedal.protocol.inquiries import Chosen, InputAnswer, InputRequest
from daedal.tui.cards.replies import Reply
from daedal.tui.face import Face
from daedal.tui.overlay import Overlay
from daedal.tui.terminal.keys import Key
from daedal.tui.terminal.visible import flat, visible
from daedal.tui.terminal.widths import Row, cut, cut_row, padded, row_width, width, wrap

SIDE_BY_SIDE = 100
"""From so many columns on a preview stands beside the choices."""
ROWS_MIN = 3


class Inquiry(Overlay):
    """Finishes with the answers by the question's id, or None."""

    is_urgent = True

    def __init__(self, face: Face, asked: InputRequest) -> None:
        super().__init__()
        self._face = face
        self._replies = [Reply(question) for question in asked.questions]
        self._at = 0
        self._complaint = ""
        self._cursor: tuple[int, int] | None = None

    @property
    def _is_review(self) -> bool:
        return self._at >= len(self._replies)

    @property
    def cursor(self) -> tuple[int, int] | None:
        return self._cursor

    # How it looks

    def rows(self, columns: int, height: int) -> list[Row]:
        self._cursor = None
        more = self._face.view.asked - 1
        above: list[Row] = [[("quiet", say("tui.card.more", count=more))]] if more > 0 else []
        if len(self._replies) > 1:
            above += self._tabs(columns)
        rows = self._review(above, columns) if self._is_review else self._question(above, columns, height)
        if self._complaint:
            rows.append([("bad", flat(self._complaint, 300))])
        return [*[cut_row(row, columns) for row in rows[: max(height - 1, 1)]], self._keys(columns)]

    def _tabs(self, columns: int) -> list[Row]:
        row: Row = []
        for number, reply in enumerate(self._replies):
            name = flat(reply.question.header, 20) or say("tui.inquiry.number", number=number + 1)
            mark = "☑" if reply.is_answered else "☐"
            row += [("selected" if number == self._at else "quiet", f" {mark} {name} "), ("", " ")]
        row.append(("selected" if self._is_review else "quiet", f" {say('tui.inquiry.review')} "))
        return wrap(row, columns)[:2]

    def _question(self, above: list[Row], columns: int, height: int) -> list[Row]:
        reply = self._replies[self._at]
        lines = visible(reply.question.question).split("\n")
        asked = [row for line in lines for row in wrap([("heading", line)], columns - 2)]
        # However long it is, the choices below it stay in sight.
        asked = asked[: max(height - len(above) - len(reply.lines) * 2 - 3, ROWS_MIN)]
        rows = [*above, [("warn", "◆ "), *asked[0]], *([("", "  "), *row] for row in asked[1:])]
        preview = visible(reply.preview).split("\n") if reply.preview else []
        is_beside = bool(preview) and columns >= SIDE_BY_SIDE
        room = columns // 2 if is_beside else columns
        choices: list[Row] = []
        for number in range(len(reply.lines)):
            if number == reply.at and reply.is_writing:
                self._cursor = (len(rows) + len(choices), 0)
            choices += self._choice(reply, number, room)
        if is_beside:
            return rows + _beside(choices, preview, room, max(height - len(rows) - 2, 1))
        left = height - len(rows) - len(choices) - 2
        shown = [[("quiet", "  │ "), ("code", line)] for line in preview[: max(left, 0)]]
        return [*rows, *choices, *shown]

    def _choice(self, reply: Reply, number: int, columns: int) -> list[Row]:
        is_here = number == reply.at
        mark = "❯" if is_here else " "
        style = "chosen" if is_here else ""
        box = ("[x] " if reply.is_chosen(number) else "[ ] ") if reply.question.multi_select else ""
        tick = " ✓" if reply.is_chosen(number) and not box else ""
        if number == reply.own_at:
            return [self._field(reply, mark, style, box, columns)]
        choice = reply.question.options[number]
        rows: list[Row] = [[(style, f"{mark} {number + 1}  {box}{flat(choice.label, 200)}"), ("good", tick)]]
        if choice.description:
            told = wrap([("quiet", flat(choice.description, 400))], columns, first=[("", "     ")])
            rows += told[:2]
        return rows

    def _field(self, reply: Reply, mark: str, style: str, box: str, columns: int) -> Row:
        """Where one writes. The end of a long text is in sight."""
        label = f"{mark} {reply.own_at + 1}  {box}{say('tui.inquiry.own')} " if reply.question.options else f"{mark} "
        text = "•" * len(reply.buffer.text) if reply.question.is_secret else visible(reply.buffer.text)
        room = max(columns - width(label) - 2, 5)
        behind = len(reply.buffer.text) - reply.buffer.at
        while width(text) > room:
            text = text[1:]
        if self._cursor is not None and reply.is_writing:
            written = text[: max(len(text) - behind, 0)]
            self._cursor = (self._cursor[0], width(label) + width(written))
        if not text and not reply.is_writing:
            return [(style, label), ("quiet", say("tui.inquiry.own_hint"))]
        return [(style, label), ("", text)]

    def _review(self, above: list[Row], columns: int) -> list[Row]:
        rows: list[Row] = [*above, [("warn", "◆ "), ("heading", say("tui.inquiry.review_title"))]]
        for reply in self._replies:
            rows.append([("quiet", cut(f"  {flat(reply.question.question, 300)}", columns))])
            said: Row = [("", flat(reply.told, 300))] if reply.is_answered else [("warn", say("tui.inquiry.open"))]
            rows.append([("accent", "    → "), *said])
        return rows

    def _keys(self, columns: int) -> Row:
        if self._is_review:
            told = [say("tui.inquiry.keys_review")]
        else:
            reply = self._replies[self._at]
            one = "keys_text" if not reply.question.options else "keys_one"
            told = [say(f"tui.inquiry.{'keys_many' if reply.question.multi_select else one}")]
            if len(self._replies) > 1:
                told.append(say("tui.inquiry.keys_tabs"))
        return cut_row([("quiet", " · ".join([*told, say("tui.inquiry.keys_leave")]))], columns)

    # What keys do

    def key(self, key: Key) -> None:
        self._complaint = ""
        match key.name:
            case "escape" | "ctrl+c":
                self.finish()
            case "tab":
                self._go(1)
            case "shift+tab":
                self._go(-1)
            case _ if self._is_review:
                self._in_review(key)
            case "enter":
                self._take()
            case _ if not self._replies[self._at].key(key):
                self._beside_the_choices(key)
            case _:
                pass

    def _beside_the_choices(self, key: Key) -> None:
        if key.name in ("right", "left"):
            self._go(1 if key.name == "right" else -1)
        elif self._replies[self._at].number(key.name):
            self._on()

    def _in_review(self, key: Key) -> None:
        if key.name == "enter":
            self._send()
        elif key.name in ("left", "up"):
            self._go(-1)

    def _go(self, by: int) -> None:
        self._at = max(0, min(self._at + by, len(self._replies) - (len(self._replies) == 1)))

    def _take(self) -> None:
        reply = self._replies[self._at]
        self._complaint = reply.take()
        if not self._complaint:
            self._on()

    def _on(self) -> None:
        """To the next question; after the last one to the whole, or away."""
        if len(self._replies) == 1:
            self._send()
        else:
            self._at += 1
            self.asks += self._is_review

    def _send(self) -> None:
        for number, reply in enumerate(self._replies):
            complaint = reply.complaint()
            if complaint:
                self._at, self._complaint = number, complaint
                return
        self.finish({reply.question.id: reply.answers for reply in self._replies if reply.is_answered})


def _beside(choices: list[Row], preview: list[str], columns: int, height: int) -> list[Row]:
    rows: list[Row] = []
    for number in range(max(len(choices), min(len(preview), height))):
        left = cut_row(choices[number], columns - 2) if number < len(choices) else []
        gap = padded("", columns - row_width(left))
        shown: Row = [("quiet", "│ "), ("code", preview[number])] if number < len(preview) else []
        rows.append([*left, ("", gap), *shown])
    return rows


async def answer(face: Face, asked: InputRequest) -> InputAnswer | None:
    if not asked.questions:
        return None
    said: dict[str, list[str]] | None = await face.show(Inquiry(face, asked))
    return InputAnswer(answers={name: Chosen(answers=answers) for name, answers in (said or {}).items()})
