"""Is the screen what a full repaint would give, whatever was drawn before?"""

import pyte
from hypothesis import given, settings
from hypothesis import strategies as st

from daedal.tui.editing.buffer import Buffer
from daedal.tui.editing.emacs import edit
from daedal.tui.terminal.keys import Key, Keys
from daedal.tui.terminal.painting import Painter
from daedal.tui.terminal.widths import row_width, width, wrap

COLUMNS, ROWS = 20, 8


class Paper:
    """A terminal that keeps what is written to it."""

    is_gone = False

    def __init__(self) -> None:
        self.screen = pyte.HistoryScreen(COLUMNS, ROWS, history=10_000)
        self._stream = pyte.Stream(self.screen)

    def size(self) -> tuple[int, int]:
        return self.screen.columns, self.screen.lines

    def write(self, text: str) -> None:
        # The kernel adds the return to every line feed.
        self._stream.feed(text.replace("\n", "\r\n"))

    def resize(self, rows: int) -> None:
        self.screen.resize(rows, self.screen.columns)

    @property
    def lines(self) -> list[str]:
        above = ["".join(line[at].data for at in range(COLUMNS)).rstrip() for line in self.screen.history.top]
        return [*above, *(line.rstrip() for line in self.screen.display)]


LINE = st.text(alphabet="ab ·", max_size=COLUMNS)
AREA = st.lists(LINE, min_size=1, max_size=ROWS - 1)


@settings(deadline=None)
@given(st.lists(st.tuples(st.lists(LINE, max_size=12), AREA), min_size=1, max_size=12), st.data())
def test_the_screen_is_what_was_finished_and_below_it_the_last_area(
    frames: list[tuple[list[str], list[str]]], data: st.DataObject
):
    paper = Paper()
    painter = Painter(paper)  # pyright: ignore[reportArgumentType]
    finished: list[str] = []
    for above, area in frames:
        cursor = data.draw(st.none() | st.tuples(st.integers(0, len(area) - 1), st.integers(0, COLUMNS - 1)))
        painter.draw(area, [width(row) for row in area], cursor, [(line, width(line)) for line in above])
        finished += above
        wanted = [row.rstrip() for row in [*finished, *area]]
        shown = paper.lines
        assert shown[: len(wanted)] == wanted
        assert not any(shown[len(wanted) :])
        if cursor is not None:
            assert paper.screen.cursor.x == cursor[1]
            assert (paper.screen.history.top.__len__() + paper.screen.cursor.y) == len(finished) + cursor[0]


KEY = st.sampled_from([*"ab (", "left", "right", "home", "end", "backspace", "ctrl+k", "ctrl+w", "ctrl+y", "ctrl+j"])


@settings(deadline=None)
@given(st.lists(KEY, max_size=40))
def test_undone_step_by_step_a_text_is_empty_again_and_redone_it_is_back(names: list[str]):
    buffer = Buffer()
    for name in names:
        edit(buffer, Key(name, name if len(name) == 1 else ""))
    text = buffer.text
    seen = [text]
    for _ in names:
        buffer.undo()
        seen.append(buffer.text)
    assert buffer.text == ""
    for _ in names:
        buffer.redo()
    assert buffer.text == text


@settings(deadline=None)
@given(
    st.lists(
        st.sampled_from([b"a", b"\x1b[A", b"\x1b[1;5D", b"\r", "é漢🙂".encode(), b"\x1b\r", b"\x1b[200~x\ry\x1b[201~"])
    ),
    st.data(),
)
def test_keys_do_not_depend_on_how_their_bytes_arrive(parts: list[bytes], data: st.DataObject):
    raw = b"".join(parts)
    whole = Keys().feed(raw)
    keys, found, at = Keys(), [], 0
    while at < len(raw):
        size = data.draw(st.integers(1, 5))
        found += keys.feed(raw[at : at + size])
        at += size
    assert found == whole


@settings(deadline=None)
@given(st.text(alphabet="a b漢🙂\u0301👩\u200d💻é\u05d0", max_size=80), st.integers(3, 30))
def test_rows_of_any_letters_fit(text: str, columns: int):
    assert all(row_width(row) <= columns for row in wrap([("", text)], columns))
