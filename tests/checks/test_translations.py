"""Is everything said in Chinese that is said in English, and does the chat draw nothing past the catalogue?"""

import pytest

from daedal.protocol.catalogue import LANGUAGES
from tests.checks.catalogue import words_of
from tests.checks.drawn import drawn_sentences
from tests.checks.sources import Module, modules
from tests.checks.translations import THE_SAME, differences
from tests.toolbox.requirement import requirement

ALL = modules()


def words(language: str) -> dict[str, str]:
    room = f"daedal.protocol.catalogue.{language}."
    return {key: text for module in ALL if module.name.startswith(room) for key, text in words_of(module).items()}


@requirement("RX-22")
@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_every_sentence_is_translated_and_fits(language: str):
    wrong = list(differences(words("en"), words(language)))
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_a_translated_sentence_stands_in_the_file_of_the_same_name(language: str):
    room = f"daedal.protocol.catalogue.{language}."
    misplaced = [
        f"{module.place}: {key}"
        for module in ALL
        if module.name.startswith(room)
        for key in words_of(module)
        if not key.startswith(module.name.removeprefix(room) + ".")
    ]
    assert not misplaced, "\n".join(misplaced)


def test_nothing_is_named_as_the_same_that_nobody_says():
    assert set(THE_SAME) <= set(words("en"))


@requirement("RX-22")
def test_the_chat_draws_no_sentence_of_its_own():
    strays = [stray for module in ALL for stray in drawn_sentences(module)]
    assert not strays, "\n".join(strays)


ENGLISH = {
    "cli.a": "cannot read {path}: {why} · daedal config --json",
    "cli.headings": "ID|WHEN",
    "cli.value": "{name:<8} {path}",
    "cli.sign": "→ {x}",
}
CHINESE = {
    "cli.a": "无法读取 {path}：{why} · daedal config --json",
    "cli.headings": "ID|时间",
    "cli.value": "{name:<8} {path}",
    "cli.sign": "→ {x}",
}


def test_the_check_leaves_alone_what_fits():
    assert list(differences(ENGLISH, CHINESE)) == []


@pytest.mark.parametrize(
    ("key", "sentence", "found"),
    [
        ("cli.a", None, "is not translated"),
        ("cli.more", "多余", "is in no English file"),
        ("cli.a", ENGLISH["cli.a"], "is left as it is"),
        ("cli.a", "Lecture impossible de {path} : {why} · daedal config --json", "is left as it is"),
        ("cli.a", "无法读取 {path} · daedal config --json", "its values differ"),
        ("cli.a", "无法读取 {path}：{why!r} · daedal config --json", "its values differ"),
        ("cli.a", "无法读取 {path}：{why}，daedal config --json", "its parts between · differ"),
        ("cli.a", "无法读取 {path}：{why} · daedal config", "its options differ"),
        ("cli.a", "无法读取 {path}：{why} · daedal export --json", "its commands differ"),
        ("cli.headings", "编号、时间", "columns"),
    ],
)
def test_the_check_finds_what_does_not_fit(key: str, sentence: str | None, found: str):
    changed = {**CHINESE, key: sentence}
    [complaint] = differences(ENGLISH, {name: text for name, text in changed.items() if text is not None})
    assert complaint.startswith(key)
    assert found in complaint


@pytest.mark.parametrize(
    "source",
    [
        'row = [("quiet", "loading")]',
        'row = [("bold accent", f"{n} files")]',
        'show("Are you sure?")',
        'x = "no, or yes"',
    ],
)
def test_the_check_finds_a_sentence_that_is_drawn(source: str):
    assert list(drawn_sentences(Module("daedal.tui.sample", source)))


@pytest.mark.parametrize(
    "source",
    ['"""What is this? A file."""', 'row = [("quiet", say("tui.x"))]', 'row = [("accent", "› ")]', 's = "bold accent"'],
)
def test_the_check_leaves_alone_what_is_no_sentence_on_the_screen(source: str):
    assert list(drawn_sentences(Module("daedal.tui.sample", source))) == []
