"""Which commands does a line of shell run, as far as reading can tell?"""

import pytest

from daedal.permissions.shell import parse


def heads(text: str) -> list[str | None]:
    return [command.words[0].text for command in parse(text).commands if command.words]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a && b || c; d & e | f |& g\nh", list("abcdefgh")),
        ("(a; { b; }) ; ! c; time d; time -p e", list("abcde")),
        ("if a; then b; elif c; then d; else e; fi", list("abcde")),
        ("while a; do b; done; until c; do d; done", list("abcd")),
        ("for x in $(a); do b; done; for ((i=0; i<3; i++)); do c; done", list("abc")),
        ("case $(a) in x|$(b)) c;; *) d;; esac", list("abcd")),
        ('a $(b `c`) <(d) >(e) "$(f)" ${x:-$(g)} <<< $(h)', list("abcdefgh")),
        ("x=$(a) y=(1 `b`); c", list("abc")),
        ("a <<'E' | b\n$(x)\nE\nc", list("abc")),
        ("a \"$(b <<'E'\n'\" $(x)\nE\n)\" && c", list("abc")),
        ("a # b\nc", list("ac")),
        ("[[ -n $(a) && $x =~ ^b(c|d)$ ]] && b", ["[[", "a", "b"]),
    ],
)
def test_every_command_is_found_wherever_it_hides(text: str, expected: list[str]):
    script = parse(text)
    assert (heads(text), script.doubts) == (expected, [])


@pytest.mark.parametrize(
    "text", ["'r'm x", "r\\m x", '"rm" x', "$'\\x72m' x", "r\\\nm x", "$'\\u0072'm x", "r''m x", "rm \\\n x"]
)
def test_a_command_is_named_as_bash_would_name_it(text: str):
    assert [[word.text for word in command.words] for command in parse(text).commands] == [["rm", "x"]]


def test_words_keep_what_only_the_shell_knows_apart():
    (command,) = parse("a 'b c' \"$HOME/x\" ~/y *.py {d,e}f $(( 1 + 2 ))").commands
    assert [word.text for word in command.words] == ["a", "b c", None, None, "*.py", "df", "ef", None]
    assert [word.is_pattern for word in command.words] == [False] * 4 + [True] + [False] * 3
    assert [(piece.text, piece.variable) for piece in command.words[3].pieces] == [(None, "HOME"), ("/y", None)]


def test_redirections_and_assignments_belong_to_their_command():
    (command,) = parse("A=1 B='x y' c 2>&1 >>d <<'E'\nbody\nE\n").commands
    assert [(name, value.text) for name, value in command.assignments] == [("A", "1"), ("B", "x y")]
    assert [(each.operator, each.target.text, each.writes) for each in command.redirects] == [
        (">&", "1", False),
        (">>", "d", True),
        ("<<", "E", False),
    ]
    assert command.redirects[2].body == "body\n"


@pytest.mark.parametrize(
    "text",
    [
        "f() { a; }",
        "function f { a; }",
        "coproc a",
        "echo $[1+1]",
        "echo $((a[$(b)]))",
        "x='a[$(b)]'; echo $((x))",
        "read x; echo $((x))",
        "[[ -v a[0] ]]",
        "[[ 'a[$(b)]' -eq 1 ]]",
        "test -v 'a[$(b)]'",
        "a[$(b)]=1",
        "echo ${!x}",
        "echo ${x@P}",
        "echo ${x:=y}",
        "echo ${x:$(a)}",
        "cat <<E\n$(a)\nE",
        "cat <<E\n  `a`\nE",
        "cat <<E\n${x:-y}\nE",
        "cat <<E\nx",
        'echo $"a"',
        "ls\r\nrm x",
        "ls\x00",
        "ls\u00a0x",
        "ls 'x",
        "ls $(a",
        "ls )",
        "$x a",
        "eval $x",
        "sh -c $x",
        "parallel a",
        "xargs --unknown a",
        "git -c core.pager=x log",
        "echo {1..100000}",
        "( " * 60 + "a" + " )" * 60,
        "a" * 300_000,
    ],
)
def test_what_cannot_be_read_for_certain_is_a_doubt(text: str):
    assert parse(text).doubts


@pytest.mark.parametrize(
    ("text", "inner"),
    [
        ("env -u X A=1 b c", ["b", "c"]),
        ("timeout -k 5 10s b c", ["b", "c"]),
        ("timeout --sig=KILL 3 b c", ["b", "c"]),
        ("nice -n 5 b c", ["b", "c"]),
        ("sudo -u root -E b c", ["b", "c"]),
        ("bash -lc 'b c'", ["b", "c"]),
        ("sh -c 'b c' d", ["b", "c"]),
        ("eval b c", ["b", "c"]),
        ("nohup setsid b c", ["b", "c"]),
        ("command b c", ["b", "c"]),
        ("trap 'b c' EXIT", ["b", "c"]),
        ("ssh -p 22 host b c", ["b", "c"]),
        ("su -c 'b c' root", ["b", "c"]),
        ("flock /tmp/l b c", ["b", "c"]),
        ("npx -c 'b c'", ["b", "c"]),
        ("bash <<'E'\nb c\nE", ["b", "c"]),
        ("watch -n 1 b c", ["b", "c"]),
        ("strace -f -o x b c", ["b", "c"]),
    ],
)
def test_wrappers_show_what_they_start(text: str, inner: list[str]):
    script = parse(text)
    last = script.commands[-1]
    assert ([word.text for word in last.words], script.doubts) == (inner, [])
    assert any(label.startswith("wrapper:") for label in last.within)


def test_find_shows_each_command_with_the_files_unknown():
    script = parse("find . -exec rm {} + -execdir ls -l x{} \\;")
    assert [[word.text for word in command.words] for command in script.commands[1:]] == [
        ["rm", None],
        ["ls", "-l", None],
    ]


def test_assignments_that_env_makes_are_seen():
    assert [name for name, _ in parse("env PATH=/x npm test").commands[-1].assignments] == ["PATH"]
