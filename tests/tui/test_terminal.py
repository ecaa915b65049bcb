"""Do the parts of the terminal keep their promises for whatever comes?"""

from hypothesis import given, settings
from hypothesis import strategies as st

from daedal.tui.editing.buffer import Buffer
from daedal.tui.editing.emacs import edit
from daedal.tui.editing.layout import pieces, place
from daedal.tui.editing.vi import Vi
from daedal.tui.live.menu import fuzzy
from daedal.tui.markdown.rendering import render
from daedal.tui.markdown.splitting import split
from daedal.tui.terminal.keys import Key, Keys
from daedal.tui.terminal.styles import Depth, Palette, depth_of
from daedal.tui.terminal.visible import flat, visible
from daedal.tui.terminal.widths import cut, row_width, width, wrap
from daedal.tui.themes import NAMES, theme

KEYS = [
    (b"a", [Key("a", "a")]),
    (b"\r", [Key("enter")]),
    (b"\x1b[A\x1b[1;5C", [Key("up"), Key("ctrl+right")]),
    (b"\x1b[Z", [Key("shift+tab")]),
    (b"\x1b\r", [Key("alt+enter")]),
    (b"\x1b[13;2u", [Key("shift+enter")]),
    (b"\x1b[27;5;13~", [Key("ctrl+enter")]),
    (b"\x1b[200~a\rb\x1b[A\x1b[201~c", [Key("paste", "a\nb\x1b[A"), Key("c", "c")]),
    (b"\x1b[200~a\x1b[201~\x1b[200~b\x1b[201~", [Key("paste", "a"), Key("paste", "b")]),
    (b"\x1bOP\x1b[5~", [Key("f1"), Key("pageup")]),
    (b"\x1b]11;rgb:0/0/0\x07x", [Key("x", "x")]),
    (b"\x1f", [Key("ctrl+_")]),
    ("é漢".encode(), [Key("é", "é"), Key("漢", "漢")]),
]


def test_keys_are_what_terminals_send_for_them():
    for raw, meant in KEYS:
        assert Keys().feed(raw) == meant


def test_a_paste_that_claims_to_be_over_types_nothing():
    assert Keys().feed(b"\x1b[200~evil \x1b[201~rm -r .\r\x1b[201~") == [Key("paste", "evil rm -r .\n")]


def test_keys_may_arrive_in_any_pieces():
    for raw, meant in KEYS:
        keys = Keys()
        assert [key for at in range(len(raw)) for key in keys.feed(raw[at : at + 1])] == meant


def test_a_lone_esc_is_one_when_nothing_follows():
    keys = Keys()
    assert keys.feed(b"\x1b") == []
    assert keys.is_waiting
    assert keys.flush() == [Key("escape")]
    assert keys.feed(b"a") == [Key("a", "a")]


@settings(deadline=None)
@given(st.lists(st.binary(max_size=20), max_size=10))
def test_no_bytes_confuse_the_keyboard_for_good(chunks: list[bytes]):
    keys = Keys()
    for chunk in chunks:
        keys.feed(chunk)
    keys.feed(b"\x1b[201~\x07")
    keys.flush()
    assert keys.feed(b"\x03")[-1:] == [Key("ctrl+c")]


@settings(deadline=None)
@given(st.text())
def test_visible_text_steers_no_terminal(text: str):
    shown = visible(text)
    assert not any((letter < " " and letter != "\n") or "\x7f" <= letter <= "\x9f" for letter in shown)
    assert not set(shown) & set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f")
    assert "\n" not in flat(text)


@settings(deadline=None)
@given(st.text(alphabet=st.characters(exclude_categories=["Cs", "Cc"])), st.integers(4, 80))
def test_wrapped_rows_fit_and_lose_no_letter(text: str, columns: int):
    rows = wrap([("", text)], columns)
    assert all(row_width(row) <= columns for row in rows)
    kept = "".join(part for row in rows for _, part in row)
    assert kept.replace(" ", "") == text.replace(" ", "")
    assert width(cut(text, columns)) <= columns


@settings(deadline=None)
@given(st.text(alphabet="ab 漢\n", max_size=200), st.integers(5, 40), st.data())
def test_the_composer_has_a_place_for_every_position(text: str, columns: int, data: st.DataObject):
    found = pieces(text, columns)
    at = data.draw(st.integers(0, len(text)))
    row, column = place(text, found, at)
    assert 0 <= row < len(found)
    assert 0 <= column <= columns
    assert "".join(text[piece.start : piece.end] for piece in found) == text.replace("\n", "")


MARKDOWN = st.lists(
    st.sampled_from(
        [
            "para **bold**\n",
            "\n",
            "- item\n",
            "  more\n",
            "1. one\n",
            "```py\n",
            "x = 1\n",
            "```\n",
            "# head\n",
            "| a |\n",
            "> q\n",
        ]
    ),
    max_size=30,
).map("".join)


@settings(deadline=None)
@given(MARKDOWN)
def test_what_is_split_off_is_all_that_was_said_before(text: str):
    closed, rest = split(text)
    said = "\n".join([*closed, rest])
    assert [line for line in said.split("\n") if line.strip()] == [line for line in text.split("\n") if line.strip()]


@settings(deadline=None)
@given(MARKDOWN, st.integers(10, 100))
def test_any_markdown_can_be_drawn(text: str, columns: int):
    render(text, columns)


@settings(deadline=None)
@given(st.text(max_size=300))
def test_whatever_a_model_says_can_be_drawn_and_steers_nothing(text: str):
    for row in render(text, 40):
        for _, part in row:
            assert not any(letter < " " or "\x7f" <= letter <= "\x9f" for letter in part)


NAMED_KEYS = ["left", "right", "home", "end", "backspace", "delete", "ctrl+k", "ctrl+u", "ctrl+w", "ctrl+y", "ctrl+t"]
NAMED_KEYS += ["alt+b", "alt+f", "alt+d", "ctrl+_", "ctrl+j", "escape"]
ANY_KEYS = st.lists(
    st.one_of(st.sampled_from(NAMED_KEYS).map(Key), st.sampled_from('abw "(xdcyipuogGftr0$;3').map(lambda a: Key(a, a)))
)


@settings(deadline=None)
@given(ANY_KEYS, st.booleans())
def test_no_keys_lead_out_of_the_text(keys: list[Key], is_vi: bool):
    buffer, change = Buffer(), Vi().edit if is_vi else edit
    for key in keys:
        change(buffer, key)
        assert 0 <= buffer.at <= len(buffer.text)


def test_every_change_can_be_undone():
    buffer = Buffer()
    for letter in "one two":
        edit(buffer, Key(letter, letter))
    edit(buffer, Key("ctrl+w"))
    assert buffer.text == "one "
    edit(buffer, Key("ctrl+_"))
    assert buffer.text == "one two"


def test_vi_changes_what_it_is_told_to():
    def typed(text: str, keys: str) -> str:
        buffer, vi = Buffer(), Vi()
        buffer.reset(text)
        vi.edit(buffer, Key("escape"))
        for letter in keys:
            vi.edit(buffer, Key("escape") if letter == "\x1b" else Key(letter, letter))
        return buffer.text

    assert typed("one two three", "0dw") == "two three"
    assert typed("one two three", "02dw") == "three"
    assert typed("one two three", "bcwTHREE\x1b") == "one two THREE"
    assert typed('say "hello there"', 'hhci"bye\x1b') == 'say "bye"'
    assert typed("f(a, b) + 1", "0f(di(") == "f() + 1"
    assert typed("one\ntwo\nthree", "ggdd") == "two\nthree"
    assert typed("one\ntwo", "ggyyp") == "one\none\ntwo"
    assert typed("abc", "0xp") == "bac"
    assert typed("abc", "0~~") == "ABc"
    assert typed("one two", "0dwu") == "one two"
    assert typed("a b c", "0fbD") == "a "


def test_fuzzy_finds_letters_in_order_and_the_nearest_first():
    names = ["model", "mode", "memory", "clear"]
    assert [names[number] for number in fuzzy("mod", names)] == ["mode", "model"]
    assert [names[number] for number in fuzzy("mry", names)] == ["memory"]
    assert fuzzy("", names) == [0, 1, 2, 3]


def test_colours_follow_the_terminal():
    assert depth_of({"TERM": "xterm-256color"}) is Depth.MANY
    assert depth_of({"TERM": "xterm-256color", "NO_COLOR": "1"}) is Depth.NONE
    assert depth_of({"TERM": "xterm", "COLORTERM": "truecolor"}) is Depth.FULL
    for name in NAMES:
        for depth in Depth:
            Palette(theme(name), depth).painted([(style, "x") for style in theme(name)])
