"""How else can the same words be written? Spellings that bash reads alike, for tests to choose from."""

from hypothesis import strategies as st

SAFE = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:=,+@%^-")


@st.composite
def spelled(draw: st.DrawFn, word: str) -> str:
    """One word, cut into pieces that are each quoted in some way."""
    pieces: list[str] = []
    at = 0
    while at < len(word):
        end = draw(st.integers(at + 1, len(word)))
        pieces.append(draw(_piece(word[at:end])))
        at = end
        pieces.append(draw(st.sampled_from(["", "", "", "''", '""', "\\\n", "$''"])))
    return "".join(pieces) or "''"


@st.composite
def _piece(draw: st.DrawFn, text: str) -> str:
    ways = ["single", "double", "ansi", "backslash"]
    if SAFE.issuperset(text) and "=" not in text:
        ways.append("plain")
    match draw(st.sampled_from(ways)):
        case "single":
            return "'" + text.replace("'", "'\\''") + "'"
        case "double":
            return '"' + "".join(f"\\{letter}" if letter in '$`"\\' else letter for letter in text) + '"'
        case "ansi":
            escapes = [lambda c: f"\\x{ord(c):02x}", lambda c: f"\\{ord(c):03o}", lambda c: f"\\u{ord(c):04x}"]
            return "$'" + "".join(draw(st.sampled_from(escapes))(letter) for letter in text) + "'"
        case "backslash":
            return "".join(f"\\{letter}" if letter != "\n" else "'\n'" for letter in text)
        case _:
            return text


GAPS = st.sampled_from([" ", "  ", "\t", " \\\n", "\\\n ", " \t "])
AROUND = st.sampled_from(
    [
        "{}",
        " {} ",
        "{};",
        "({})",
        "{{ {}; }}",
        "! {}",
        "time {}",
        "true && {}",
        "false || {}",
        "ls; {}",
        "ls | {}",
        "{} | cat",
        "ls & {}",
        "{} &",
        "if {}; then ls; fi",
        "if true; then {}; fi",
        "while {}; do break; done",
        "for i in 1; do {}; done",
        "case x in x) {};; esac",
        "echo $({})",
        'echo "$({})"',
        "cat <({})",
        "ls\n{}",
        "ls # comment\n{}",
        "{} # comment",
        "cat <<'E'\nx\nE\n{}",
        "X=1 {}",
        "X=$({}) ls",
        "[[ -n $({}) ]]",
        "echo ${{x:-$({})}}",
        "timeout 5 {}",
        "[ -f x ] && {}",
    ]
)
"""Every place where a command runs."""


@st.composite
def respelled(draw: st.DrawFn, words: list[str]) -> str:
    """The command in another spelling, in some place of a line."""
    line = ""
    for word in words:
        line += (draw(GAPS) if line else "") + draw(spelled(word))
    return draw(AROUND).format(line)
