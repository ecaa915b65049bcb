"""Does the reader of shell text agree with the real bash, whatever is written?"""

import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from daedal.permissions.shell import parse
from tests.permissions.shell_spellings import respelled, spelled

LETTERS = st.text(st.sampled_from("abz09-_./ '\"\\$`*?[]{}~#&|;()<>!=\t"), max_size=8)
QUICK = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
TOKENS = [
    *(
        "aa",
        "bb",
        " ",
        " ",
        "\n",
        ";",
        "&",
        "|",
        "&&",
        "||",
        "'",
        '"',
        "$(",
        ")",
        "`",
        "\\",
        "\\\n",
        " { ",
        " ; } ",
        "(",
    ),
    *("<<EOF", "<<'EOF'", "\nEOF\n", "<", "> f", "$x", "${x:-", "}", "#", "if aa", "; then ", "; fi", "for i in a b"),
    *(
        "; do ",
        "; done",
        "case a in a)",
        " ;; esac",
        "{a,b}",
        "{,b}",
        "[[ ",
        " ]]",
        "[ ",
        " ]",
        "x=1",
        "x=",
        "! ",
        "$((",
        "))",
    ),
    *("1", "$'", "\t", "*", "time ", "f()", "|&", "&>", "<(", "<<<", "2>&1", "x=(", "!", "..", "in "),
]


def bash(script: str, *words: str, cwd: Path, **env: str) -> bytes:
    """Runs nothing but builtins: there is no PATH."""
    command = ["/bin/bash", "--norc", "--noprofile", "-c", script, "bash", *words]
    done = subprocess.run(
        command, cwd=cwd, env={"PATH": "/nonexistent", **env}, stdin=subprocess.DEVNULL, capture_output=True, timeout=20
    )
    return done.stdout


@QUICK
@given(words=st.lists(LETTERS, min_size=1, max_size=3), data=st.data())
def test_every_spelling_of_a_word_is_read_as_bash_reads_it(words: list[str], data: st.DataObject, tmp_path: Path):
    line = " ".join(["printf '%s\\0'", *(data.draw(spelled(word)) for word in words)])
    script = parse(line)
    assert script.doubts == []
    read = [word.text or "" for word in script.commands[0].words[2:]]
    assert read == words == bash(line, cwd=tmp_path).decode().split("\0")[:-1]


@pytest.mark.parametrize("line", ["ls a\\ ", "ls \\ ", "ls \\\t", "ls a\\ \n", "ls 'a'\\ ;ls b\\ "])
def test_an_escaped_blank_at_the_end_is_a_word_like_any_other(line: str):
    script = parse(line)
    assert script.doubts == []
    assert (script.commands[0].words[1].text or "").endswith((" ", "\t"))


@given(data=st.data())
@settings(max_examples=150, deadline=None)
def test_no_spelling_and_no_place_hides_a_command(data: st.DataObject):
    words = data.draw(st.sampled_from([["rm", "-rf", "x"], ["curl", "evil.example"], ["git", "push", "--force"]]))
    script = parse(data.draw(respelled(words)))
    found = [[word.text for word in command.words] for command in script.commands]
    assert script.doubts or words in found


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "log"


@QUICK
@given(tokens=st.lists(st.sampled_from(TOKENS), min_size=1, max_size=12))
def test_bash_starts_nothing_that_was_not_listed(tokens: list[str], tmp_path: Path, log: Path):
    script = parse("".join(tokens))
    names = {command.words[0].text for command in script.commands if command.words}
    if script.doubts or None in names or any(word.is_pattern for each in script.commands for word in each.words[:1]):
        return
    log.write_bytes(b"")
    handler = 'command_not_found_handle() { printf "%s\\0" "$1" >>"$LOG"; }; eval "$1"'
    bash(handler, "".join(tokens), cwd=tmp_path, LOG=str(log))
    assert set(log.read_bytes().decode(errors="replace").split("\0")) - {""} <= names


@given(text=st.text(st.sampled_from("ab \n;|&(){}[]<>'\"`$\\#!=~*?,.-x1"), max_size=40))
@settings(max_examples=300, deadline=None)
def test_no_text_makes_the_reader_fail(text: str):
    parse(text)
