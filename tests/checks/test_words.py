"""Do all words for people come from the catalogue, and is all of the catalogue said? Read from the source."""

import pytest

from tests.checks.catalogue import disagreements, words_of
from tests.checks.literals import error_names, stray_sentences
from tests.checks.sources import Module, modules, parsed

ALL = modules()
CODE = [module for module in ALL if not module.name.startswith("daedal.protocol.catalogue.")]
ENGLISH = [module for module in ALL if module.name.startswith("daedal.protocol.catalogue.en.")]
WORDS = {key: sentence for module in ENGLISH for key, sentence in words_of(module).items()}


def test_no_sentence_for_people_stands_outside_the_catalogue():
    errors = error_names(parsed(CODE))
    strays = [stray for module in CODE for stray in stray_sentences(module, errors)]
    assert not strays, "\n".join(strays)


def test_every_sentence_exists_fits_its_values_and_is_said():
    wrong = list(disagreements(parsed(CODE), WORDS))
    assert not wrong, "\n".join(wrong)


def test_a_sentence_stands_in_the_file_of_the_room_that_says_it():
    misplaced = [
        f"{module.place}: {key}"
        for module in ENGLISH
        for key in words_of(module)
        if not key.startswith(module.name.removeprefix("daedal.protocol.catalogue.en.") + ".")
    ]
    assert not misplaced, "\n".join(misplaced)
    assert sum(len(words_of(module)) for module in ENGLISH) == len(WORDS), "a key stands in two files"


STRAY = [
    'print("Hello there")',
    'print("a", f"{count} files", sep=", ")',
    'sys.stderr.write("no such file\\n")',
    'raise UsageError("give a prompt")',
    'raise LedgerGone(f"cannot open {path}") from error',
    'trouble = UsageError(message="not that way")',
    'message = "nobody is here"\nraise UsageError(message)',
    'print(", ".join(["one", "two"]))',
    'print(say("cli.error") if bad else "all is well")',
    'parser.add_argument("--model", help="the model")',
    'ArgumentParser(prog="daedal", description="an agent")',
    'parser.error("not both")',
    'raise argparse.ArgumentTypeError("not a number")',
    'sys.stdout.write("usage: %s" % name)',
    'warn("the file is old")',
    'input("your name: ")',
]
CLEAN = [
    'print(say("cli.error", message="x"))',
    'sys.stderr.write(say("cli.error", message=trouble) + "\\n")',
    'sys.stderr.write(f"\\x1b[2m{line}\\x1b[0m")',
    'print("  ".join(cells), file=sys.stderr)',
    'print(f"{name:<{width}}{value!r:>10}")',
    'print(f"daedal {__version__}")',
    'raise UsageError(say("cli.no_prompt"))',
    'raise ValueError("a bug of ours, which no person shall read")',
    'raise UsageError(say("a.b") if kind == "json" else say("a.c"))',
    'print(row["name"], options.get("path"))',
    'log.write("entry")',
    'parser.add_argument("--model", metavar="MODEL", help=say("cli.model"))',
    'ToolSpec(name="Read", description="Reads a file.")',
]


def snippet(source: str) -> Module:
    return Module(name="daedal.cli.sample", source=source, place="sample.py")


def strays_in(source: str) -> list[str]:
    errors = error_names([snippet("class UsageError(DaedalError): ...\nclass LedgerGone(errors.UsageError): ...")])
    return list(stray_sentences(snippet(source), errors))


@pytest.mark.parametrize("source", STRAY)
def test_the_check_finds_a_stray_sentence(source: str):
    assert strays_in(source)


@pytest.mark.parametrize("source", CLEAN)
def test_the_check_leaves_alone_what_is_no_sentence(source: str):
    assert strays_in(source) == []


SAMPLE = {
    "cli.a": "plain",
    "cli.b": "has {x}",
    "cli.both": "{x} {y.z}",
    "cli.braces": "{{x}}",
    "cli.json": 'for instance {"x": 1}',
    "cli.run.about": "about",
}


def disagreement(source: str, *, words: dict[str, str] = SAMPLE) -> list[str]:
    said = f"KEYS = {list(SAMPLE)}"
    return list(disagreements([snippet(source), snippet(said)], words))


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ('say("cli.gone")', "no sentence is called cli.gone"),
        ('say("cli.b")', "cli.b also needs x"),
        ('say("cli.b", x=1, y=2)', "cli.b has no place for y"),
        ('say("cli.both", x=1)', "cli.both also needs y"),
        ('say("cli.a" if ok else "cli.gone")', "no sentence is called cli.gone"),
        ('say(f"web.{command}.about")', "no sentence is called"),
        ('key = "cli.b"\nsay(key)', "cli.b also needs x"),
        ('for key in ("cli.gone",):\n    say(key)', "no sentence is called cli.gone"),
        ('say("cli.braces")', "doubled braces"),
        ('say("cli.a" if ok else "cli.json", x=1)', 'cli.json also needs "x"'),
    ],
)
def test_the_check_finds_a_saying_that_does_not_fit(source: str, found: str):
    [complaint] = disagreement(source)
    assert found in complaint


@pytest.mark.parametrize(
    "source",
    [
        'say("cli.b", x=1)',
        'say("cli.b", **values)',
        'say(f"cli.{command}.about")',
        'say("cli.a" if ok else "cli.b", x=1)',
        'say(SENTENCES.get(code, "cli.a"))',
        'say("cli.both", x=1, y=2)',
        'say("cli.json")',
    ],
)
def test_the_check_leaves_alone_a_saying_that_fits(source: str):
    assert disagreement(source) == []


def test_the_check_finds_a_sentence_that_nobody_says():
    assert disagreement("", words={**SAMPLE, "cli.idle": "idle"}) == ["cli.idle is said by nobody"]
