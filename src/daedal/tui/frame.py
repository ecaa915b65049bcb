"""What is on the screen now? Finished rows go above; the live area below them never gets higher than the screen."""

from daedal.protocol.catalogue import say
from daedal.tui.live.activity import activity_row, plan_rows, running_rows
from daedal.tui.live.composer import Composer
from daedal.tui.live.footer import footer_row
from daedal.tui.live.menu import Menu
from daedal.tui.scroll import Scroll
from daedal.tui.stage import Stage
from daedal.tui.talk import Talk
from daedal.tui.terminal.painting import Cursor, Painter
from daedal.tui.terminal.raw import Terminal
from daedal.tui.terminal.styles import Palette
from daedal.tui.terminal.visible import flat
from daedal.tui.terminal.widths import Row, cut, cut_row, row_width
from daedal.tui.view import View

PLAN_ROWS_MAX = 6
QUEUE_ROWS_MAX = 4
MENU_ROWS_MAX = 8
ROOMY, AIRY = 16, 30
"""On a screen that is not higher, what can be done without is left out: the plan, and air above a card."""


class Frame:
    """Everything that is drawn, put together."""

    def __init__(
        self, terminal: Terminal, painter: Painter, *, view: View, talk: Talk, stage: Stage, composer: Composer
    ) -> None:
        self._terminal = terminal
        self.painter = painter
        self._view = view
        self._talk = talk
        self._stage = stage
        self._composer = composer
        self.scroll = Scroll(view)
        self.palette: Palette | None = None
        self.menu: Menu | None = None
        self.branch = ""
        self.hint = ""
        """Said once, in place of the footer."""
        self._columns = 0
        self._open: list[Row] = []
        """What is being said, as it was drawn last."""

    def draw(self, *, is_whole: bool = True) -> None:
        """Unless it is a whole frame, what the model says is left as it was drawn last."""
        columns, height = self._terminal.size()
        overlay = self._stage.overlay
        assert self.palette is not None
        if overlay is not None and overlay.is_full:
            rows = overlay.rows(columns, height)
            self.painter.fill(
                [self.palette.painted(row) for row in rows], [row_width(row) for row in rows], overlay.cursor
            )
            return
        self.painter.unfill()
        above: list[Row] = []
        if is_whole or columns != self._columns:
            self._columns = columns
            above = self.scroll.take(columns)
            self._open = self.scroll.open(columns)
        rows, cursor = self._area(columns, height - 1)
        self.painter.draw(
            [self.palette.painted(row) for row in rows],
            [row_width(row) for row in rows],
            cursor,
            [(self.palette.painted(row), row_width(row)) for row in above],
        )

    def farewell(self, sentence: str) -> None:
        """The last frame: what is finished, and nothing live below it."""
        columns, _ = self._terminal.size()
        assert self.palette is not None
        self.painter.unfill()
        above: list[Row] = self.scroll.take(columns)
        above += [[], [("quiet", sentence)]] if sentence else []
        self.painter.draw([], [], None, [(self.palette.painted(row), row_width(row)) for row in above])
        self.painter.erase()

    def _area(self, columns: int, height: int) -> tuple[list[Row], Cursor]:
        bottom, cursor = self._bottom(columns, height)
        top = self._top(columns)
        room = max(height - len(bottom), 0)
        top = top[len(top) - room :] if len(top) > room else top
        if cursor is not None:
            cursor = (cursor[0] + len(top), cursor[1])
        return [*top, *bottom], cursor

    def _top(self, columns: int) -> list[Row]:
        """What is still open."""
        view = self._view
        running = running_rows(view, columns)
        rows = [*self._open, *([[]] if running else []), *running]
        return [*rows, []]

    def _bottom(self, columns: int, height: int) -> tuple[list[Row], Cursor]:
        view = self._view
        rows: list[Row] = []
        self._composer.is_waiting = self._talk.is_busy
        if view.is_working:
            rows += plan_rows(view, columns, PLAN_ROWS_MAX) if height > ROOMY else []
            rows.append(
                activity_row(view, columns, is_asking=self._stage.is_asking, is_stopping=self._talk.is_stopping)
            )
        rows += self._queue(columns)
        overlay = self._stage.overlay
        if overlay is not None:
            if rows and height > AIRY:
                rows.append([])
            taken = len(rows) + 1
            if not self._stage.has_keyboard:
                taken += len(self._composer.rows(columns, max(min(height // 2, 12), 1))[0]) + 1
            drawn = [cut_row(row, columns) for row in overlay.rows(columns, max(height - taken, 3))]
            if self._stage.has_keyboard:
                if self._stage.is_deaf:
                    # In place of what keys do there.
                    drawn[-1] = cut_row([("warn", say("tui.deaf"))], columns)
                at = overlay.cursor
                cursor: Cursor = (at[0] + len(rows), at[1]) if at is not None else None
                return [*rows, *drawn][:height], cursor
            rows += drawn[: max(height - 3, 1)]
        written, at = self._composer.rows(columns, max(min(height // 2, 12), 1))
        cursor = (at[0] + len(rows), at[1])
        rows += written
        if self.menu is not None:
            rows += self.menu.rows(columns, max(min(MENU_ROWS_MAX, height - len(rows) - 2), 1))
        rows.append(footer_row(view, columns, self.branch, self.hint))
        return rows[:height], cursor

    def _queue(self, columns: int) -> list[Row]:
        waiting = self._talk.queue
        rows: list[Row] = [
            cut_row([("quiet", f"{say('tui.queued')} "), ("quiet", cut(flat(draft.text), columns))], columns)
            for draft in waiting[:QUEUE_ROWS_MAX]
        ]
        if len(waiting) > QUEUE_ROWS_MAX:
            rows.append([("quiet", say("tui.queued_more", count=len(waiting) - QUEUE_ROWS_MAX))])
        return rows
