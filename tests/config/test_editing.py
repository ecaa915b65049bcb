"""One setting in a file changes; every other byte stays."""

import os
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daedal.config import load, set_value, unset
from daedal.config.keys import dotted
from daedal.protocol.errors import ConfigurationError

from .example import Settings, unhurried

COMMENTED = """\
# my settings
default_model = "a" # the model

[agent]
max_steps = 1   # few

# what follows is about tools
[tools]
enabled = [
  "Read", # always
]

[tools.terminal]
path = 'x'
"""


def edited(tmp_path: Path, text: str | bytes, key: str, value: str) -> str:
    file = tmp_path / "config.toml"
    file.write_bytes(text.encode() if isinstance(text, str) else text)
    set_value(str(file), key, value, Settings)
    return file.read_bytes().decode()


@pytest.mark.parametrize(
    ("key", "value", "old", "new"),
    [
        ("agent.max_steps", "20", "max_steps = 1  ", "max_steps = 20  "),
        ("default_model", "b/c", '"a" #', '"b/c" #'),
        ("tools.enabled", '["Bash"]', '[\n  "Read", # always\n]', '["Bash"]'),
        ("agent.mode", "allow", "# few\n", '# few\nmode = "allow"\n'),
        ("tools.fast", "true", "]\n\n[tools.t", "]\nfast = true\n\n[tools.t"),
        ("tools.terminal.colour", "blue", "path = 'x'\n", "path = 'x'\ncolour = \"blue\"\n"),
        ("agent.names.x", "y", "path = 'x'\n", "path = 'x'\n\n[agent.names]\nx = \"y\"\n"),
        ('agent.names."a b"', "y", "path = 'x'\n", 'path = \'x\'\n\n[agent.names]\n"a b" = "y"\n'),
        ("limits.most", "20", "path = 'x'\n", "path = 'x'\n\n[limits]\nmost = 20\n"),
        ("agent.names", '{ a = "b" }', "# few\n", '# few\nnames = { a = "b" }\n'),
    ],
)
def test_only_the_key_changes_and_comments_stay(tmp_path: Path, key: str, value: str, old: str, new: str) -> None:
    assert COMMENTED.count(old) == 1
    assert edited(tmp_path, COMMENTED, key, value) == COMMENTED.replace(old, new)


@pytest.mark.parametrize(
    ("text", "key", "value", "result"),
    [
        ("", "default_model", "m", 'default_model = "m"\n'),
        ("", "agent.max_steps", "1", "[agent]\nmax_steps = 1\n"),
        ("[tools]\n", "default_model", "m", 'default_model = "m"\n\n[tools]\n'),
        ("default_model = 'a'", "agent.max_steps", "1", "default_model = 'a'\n\n[agent]\nmax_steps = 1\n"),
        ("agent.max_steps = 1\n# x\n", "agent.mode", "ask", 'agent.max_steps = 1\nagent.mode = "ask"\n# x\n'),
        ("[agent]", "agent.max_steps", "1", "[agent]\nmax_steps = 1"),
        ("[tools.terminal]\n", "tools.fast", "true", "[tools.terminal]\n\n[tools]\nfast = true\n"),
        ("tools = { fast = false } # x", "tools.fast", "true", "tools = { fast = true } # x"),
        ("agent.names = {x = ''}", "agent.names.x", "1", 'agent.names = {x = "1"}'),
        ("[[labels]]\nname = 'a'\n", "agent.max_steps", "2", "[[labels]]\nname = 'a'\n\n[agent]\nmax_steps = 2\n"),
        ("[agent]\r\nmax_steps = 1\r\n", "agent.mode", "ask", '[agent]\r\nmax_steps = 1\r\nmode = "ask"\r\n'),
        ("\ufeff[agent]\n", "agent.max_steps", "1", "\ufeff[agent]\nmax_steps = 1\n"),
        ("[agent]\nmax_steps = 'many'\n", "agent.max_steps", "1", "[agent]\nmax_steps = 1\n"),
    ],
)
def test_a_key_finds_its_place_in_whatever_style_the_file_has(
    tmp_path: Path, text: str, key: str, value: str, result: str
) -> None:
    assert edited(tmp_path, text, key, value) == result


@pytest.mark.parametrize(
    ("key", "given_text", "value"),
    [
        ("default_model", "bare words", "bare words"),
        ("default_model", '"quoted"', "quoted"),
        ("default_model", "true", "true"),
        ("default_model", "2024-05-13", "2024-05-13"),
        ("default_model", "4.1", "4.1"),
        ("default_model", "", ""),
        ("default_model", "one\ntwo = 3", "one\ntwo = 3"),
        ("default_model", "tab\tdel\x7f", "tab\tdel\x7f"),
        ("agent.max_steps", " 5 # five", 5),
        ("agent.temperature", "1", 1),
        ("tools.enabled", "['a', 'b']", ["a", "b"]),
        ("extra.x", "[1, {a = 2}]", [1, {"a": 2}]),
    ],
)
def test_a_value_is_toml_where_that_fits_and_text_otherwise(
    tmp_path: Path, key: str, given_text: str, value: Any
) -> None:
    file = tmp_path / "config.toml"
    assert set_value(str(file), key, given_text, Settings) == value
    data = tomllib.loads(file.read_text())
    for name in key.split("."):
        data = data[name]
    assert data == value


@pytest.mark.parametrize(
    ("text", "key", "value", "message"),
    [
        ("", "agent.max_steps", "ten", "agent.max_steps must be a whole number of at least 0, found text"),
        ("", "agent.max_steps", "-1", "found -1"),
        ("", "agent.mode", "maybe", 'agent.mode must be one of "allow", "ask", found other text'),
        ("", "tools.enabled", '["a"', "the value for tools.enabled is not valid TOML"),
        ("", "default_model", "\udcff", "the value for default_model is not valid TOML"),
        ("", "agent.max", "1", "did you mean agent.max_steps"),
        ("", "serve.token", "x", "unknown key serve.token"),
        ("", "serve", "x", "serve is known, but this version has no browser front end"),
        ("", "agent", "x", "agent is a table · set one of its keys: max_steps, temperature, names, mode"),
        ("", "providers", "[]", "providers belongs to an array of tables · edit"),
        ("", "providers[0].name", "x", "belongs to an array of tables · edit"),
        ("", "a b", "x", "a b is not a key"),
        ("agent = {}", "agent.max_steps", "1", "cannot be changed safely"),
        ("[agent.names]\na = '1'\n", "agent.names", '{b = "2"}', "cannot be changed safely"),
        ("broken", "agent.max_steps", "1", "config.toml:1:7: not valid TOML"),
        ("\n[tools]\nfats = true\n", "default_model", "x", "config.toml:3: unknown key tools.fats"),
    ],
)
def test_what_cannot_be_set_is_refused_and_the_file_stays(
    tmp_path: Path, text: str, key: str, value: str, message: str
) -> None:
    file = tmp_path / "config.toml"
    file.write_text(text)
    with pytest.raises(ConfigurationError) as caught:
        set_value(str(file), key, value, Settings)
    assert message in str(caught.value)
    assert file.read_text() == text
    assert os.listdir(tmp_path) == ["config.toml"]


def test_the_file_is_made_with_its_folder_for_the_user_alone(tmp_path: Path) -> None:
    file = tmp_path / "home" / "config.toml"
    set_value(str(file), "agent.max_steps", "1", Settings)
    assert file.stat().st_mode & 0o777 == 0o600
    assert load(Settings, user_file=str(file), project_file=None, flags={}).value.agent.max_steps == 1


def test_a_projects_file_stays_readable_for_others(tmp_path: Path) -> None:
    file, fresh = tmp_path / "daedal.toml", tmp_path / "new" / "daedal.toml"
    file.touch()
    file.chmod(0o664)
    fresh.parent.mkdir()
    (fresh.parent / "other").touch()
    for path, mode in ((file, 0o664), (fresh, (fresh.parent / "other").stat().st_mode & 0o777)):
        set_value(str(path), "default_model", "m", Settings)
        assert path.stat().st_mode & 0o777 == mode


def test_a_projects_file_is_not_given_what_it_may_not_set(tmp_path: Path) -> None:
    file = tmp_path / "daedal.toml"
    with pytest.raises(ConfigurationError, match=r"agent.max_steps in .* would be ignored: a project may not set it"):
        set_value(str(file), "agent.max_steps", "1", Settings)
    file.write_text("[agent]\nmax_steps = 1\n")
    unset(str(file), "agent.max_steps", Settings)
    assert file.read_text() == "[agent]\n"


def test_a_key_goes_with_its_line_and_nothing_else(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text(COMMENTED)
    unset(str(file), "tools.enabled", Settings)
    unset(str(file), "default_model", Settings)
    without = COMMENTED.replace('default_model = "a" # the model\n', "")
    assert file.read_text() == without.replace('enabled = [\n  "Read", # always\n]\n', "")


def test_the_last_dotted_key_of_a_table_can_go_too(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text("agent.max_steps = 1\n# end")
    unset(str(file), "agent.max_steps", Settings)
    assert file.read_text() == "# end"


@pytest.mark.parametrize(
    ("text", "key", "message"),
    [
        ("", "agent.max_steps", "agent.max_steps is not set in"),
        ("tools = { fast = true }", "tools.fast", "cannot be changed safely"),
        ("", "providers[1]", "array of tables"),
    ],
)
def test_what_cannot_be_unset_is_refused_and_the_file_stays(tmp_path: Path, text: str, key: str, message: str) -> None:
    file = tmp_path / "config.toml"
    file.write_text(text)
    with pytest.raises(ConfigurationError, match=message):
        unset(str(file), key, Settings)
    assert file.read_text() == text


LINES = {
    ("default_model",): st.sampled_from(['"a"', "'b'", '"""c\n[d]\n"""']),
    ("agent", "max_steps"): st.sampled_from(["1", "0x10"]),
    ("agent", "names", "a.b"): st.sampled_from(['"1"', "'#'"]),
    ("tools", "enabled"): st.sampled_from(["[]", "[ # x ]\n 'a',\n]"]),
    ("tools", "fast"): st.sampled_from(["true", "false"]),
    ("tools", "terminal", "path"): st.sampled_from(["'p'", '"\\\\"']),
}


@st.composite
def files(draw: st.DrawFn) -> str:
    """A settings file in some style: tables or dotted keys, in any order, with comments in between."""
    wanted = draw(st.lists(st.sampled_from(list(LINES)), unique=True))
    newline = draw(st.sampled_from(["\n", "\r\n"]))
    sections: dict[tuple[str, ...], list[str]] = {(): []}
    for path in wanted:
        depth = draw(st.integers(0, len(path) - 1))
        line = f"{dotted(path[depth:])} = {draw(LINES[path])}{draw(st.sampled_from(['', ' # c']))}"
        sections.setdefault(path[:depth], []).append(line)
    text = ""
    for section in [(), *draw(st.permutations([key for key in sections if key]))]:
        text += draw(st.sampled_from(["", "# note" + newline, newline]))
        text += f"[{dotted(section)}]{newline}" if section else ""
        text += "".join(line + newline for line in sections[section])
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return ""
    return text


def changed(data: Any, path: tuple[str, ...], value: Any) -> Any:
    return value if not path else {**data, path[0]: changed(data.get(path[0], {}), path[1:], value)}


def loaded_equal(data: Any, other: Any) -> bool:
    """Whether two files set the same; None and an empty table set nothing."""

    def solid(value: Any) -> Any:
        if not isinstance(value, dict):
            return value
        kept = {key: solid(below) for key, below in value.items()}
        return {key: below for key, below in kept.items() if below is not None and below != {}}

    return solid(data) == solid(other)


@unhurried
@given(
    files(),
    st.sampled_from([*LINES, ("agent", "mode"), ("limits", "most")]),
    st.sampled_from(["7", "ask", "['x']", "true"]),
)
def test_whatever_the_file_looks_like_the_outcome_is_the_one_change_or_none(
    tmp_path_factory: pytest.TempPathFactory, text: str, path: tuple[str, ...], value_text: str
) -> None:
    file = tmp_path_factory.mktemp("edit") / "config.toml"
    file.write_bytes(text.encode())
    try:
        value = set_value(str(file), dotted(path), value_text, Settings)
    except ConfigurationError:
        assert file.read_bytes() == text.encode()
        return
    after = file.read_bytes().decode()
    assert tomllib.loads(after) == changed(tomllib.loads(text), path, value)
    try:
        unset(str(file), dotted(path), Settings)
    except ConfigurationError:
        assert file.read_bytes() == after.encode()
        return
    without = tomllib.loads(file.read_bytes().decode())
    assert loaded_equal(without, changed(tomllib.loads(text), path, None))
