"""Settings come from flag, project file, user file and default, in that order, and say so."""

import os
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from daedal.config import Loaded, Origin, OriginKind, load
from daedal.config.layers import merge
from daedal.protocol.errors import ConfigurationError

from .example import Agent, Colour, Provider, Settings, Shell, Tools, unhurried


def written(path: Path, text: str | bytes) -> str:
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return str(path)


def loaded(tmp_path: Path, user: str | bytes = "", project: str | bytes = "", **flags: Any) -> Loaded[Settings]:
    return load(
        Settings,
        user_file=written(tmp_path / "config.toml", user),
        project_file=written(tmp_path / "daedal.toml", project),
        flags={key.replace("__", "."): value for key, value in flags.items()},
    )


def refusal(tmp_path: Path, user: str | bytes = "", project: str | bytes = "", **flags: Any) -> str:
    with pytest.raises(ConfigurationError) as caught:
        loaded(tmp_path, user, project, **flags)
    return str(caught.value).replace(str(tmp_path) + "/", "")


def test_without_any_file_every_setting_has_its_default(tmp_path: Path) -> None:
    found = load(Settings, user_file=str(tmp_path / "none" / "config.toml"), project_file=None, flags={})
    assert found.value == Settings()
    assert set(found.origins.values()) == {Origin(OriginKind.DEFAULT)}
    assert found.warnings == []


def test_flag_outranks_project_outranks_user_outranks_default(tmp_path: Path) -> None:
    user = 'default_model = "user"\n[tools]\nfast = true\nenabled = ["Read", "Bash"]\n[tools.terminal]\npath = "user"\n'
    project = '[tools]\nenabled = ["Grep"]\n[tools.terminal]\npath = "project"\n'
    found = loaded(tmp_path, user, project, tools__terminal__path="flag", default_model=None)
    assert found.value == Settings(
        default_model="user", tools=Tools(fast=True, enabled=["Grep"], terminal=Shell(path="flag"))
    )
    shown = {key: str(origin).replace(str(tmp_path) + "/", "") for key, origin in found.origins.items()}
    assert shown == {
        "default_model": "config.toml:1",
        "agent.max_steps": "default",
        "agent.temperature": "default",
        "agent.names": "default",
        "agent.mode": "default",
        "tools.enabled": "daedal.toml:2",
        "tools.fast": "config.toml:3",
        "tools.terminal.path": "flag",
        "tools.terminal.colour": "default",
        "providers": "default",
        "labels": "default",
        "extra": "default",
        "limits.least": "default",
        "limits.most": "default",
    }


def test_free_keys_merge_and_arrays_of_tables_replace(tmp_path: Path) -> None:
    user = '[agent.names]\na = "1"\nb = "2"\n[[labels]]\nname = "x"\nbase_url = "u"\n[[labels]]\nname = "y"\n'
    project = '[agent.names]\nb = "3"\n[[labels]]\nname = "z"\n'
    found = loaded(tmp_path, user, project)
    assert found.value == Settings(agent=Agent(names={"a": "1", "b": "3"}), labels=[Provider(name="z")])
    origins = {
        key: (origin.kind, origin.line) for key, origin in found.origins.items() if key.startswith(("lab", "agent.n"))
    }
    assert origins == {
        "agent.names.a": (OriginKind.USER, 2),
        "agent.names.b": (OriginKind.PROJECT, 2),
        "labels[0].name": (OriginKind.PROJECT, 4),
        "labels[0].base_url": (OriginKind.DEFAULT, None),
        "labels[0].models": (OriginKind.DEFAULT, None),
        "labels[0].secret_name": (OriginKind.DEFAULT, None),
    }


def test_a_project_file_cannot_set_what_is_the_users_alone(tmp_path: Path) -> None:
    project = '[agent]\ntemperature = 1\nmax_steps = 9\n[[providers]]\nname = "evil"\nbase_url = "https://evil"\n'
    found = loaded(tmp_path, "[agent]\nmax_steps = 3\n", project)
    assert found.value == Settings(agent=Agent(max_steps=3, temperature=1.0))
    assert [warning.replace(str(tmp_path), "~") for warning in found.warnings] == [
        "~/daedal.toml:3: agent.max_steps is ignored: a project may not set it · set it in ~/config.toml or by a flag",
        "~ is not trusted, so this of it is ignored: providers (daedal.toml:4) · look at it with daedal trust",
    ]


def test_a_mark_inside_an_array_of_tables_holds_too(tmp_path: Path) -> None:
    found = loaded(tmp_path, project='labels = [{ name = "a" }, { name = "b", secret_name = "HOME" }]\n')
    assert found.value.labels == [Provider(name="a"), Provider(name="b")]
    assert "daedal.toml:1: labels[1].secret_name is ignored" in found.warnings[0]


def test_what_is_ignored_is_not_judged(tmp_path: Path) -> None:
    found = loaded(tmp_path, project='[agent]\nmax_steps = "many"\n')
    assert found.value == Settings()
    assert len(found.warnings) == 1


def test_the_user_and_flags_may_set_everything(tmp_path: Path) -> None:
    found = loaded(tmp_path, '[[providers]]\nname = "mine"\n', agent__max_steps=5)
    assert found.value == Settings(agent=Agent(max_steps=5), providers=[Provider(name="mine")])
    assert found.warnings == []


def test_byte_order_mark_and_carriage_returns_are_fine(tmp_path: Path) -> None:
    found = loaded(tmp_path, b'\xef\xbb\xbfdefault_model = "m"\r\n[tools]\r\nfast = true\r\n')
    assert found.value == Settings(default_model="m", tools=Tools(fast=True))
    assert found.origins["tools.fast"].line == 3


def test_an_enumeration_is_read_by_its_value(tmp_path: Path) -> None:
    assert loaded(tmp_path, '[tools.terminal]\ncolour = "blue"').value.tools.terminal.colour is Colour.BLUE


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[tools]\nfast = 1\n", "config.toml:2: tools.fast must be true or false, found 1"),
        ("[tools]\nenabled = 'Read'\n", "config.toml:2: tools.enabled must be a list, each entry text, found text"),
        ("[tools]\nenabled = [1]\n", "config.toml:2: tools.enabled must be a list, each entry text, found a list"),
        ("[agent]\n\nmax_steps = -1", "config.toml:3: agent.max_steps must be a whole number of at least 0, found -1"),
        (
            "[agent]\nmax_steps = true",
            "config.toml:2: agent.max_steps must be a whole number of at least 0, found true",
        ),
        ("agent.mode = 'x'", 'config.toml:1: agent.mode must be one of "allow", "ask", found other text'),
        ("tools.terminal.colour = 'x'", 'tools.terminal.colour must be one of "red", "blue", found other text'),
        ("tools.terminal.path = 1", "config.toml:1: tools.terminal.path must be text, found 1"),
        ("agent = 3", "config.toml:1: agent must be a table, found 3"),
        ("[providers]\nname = 'x'", "config.toml:1: providers must be an array of tables, found a table"),
        ("[agent.names]\nx = 1\ny = 'fine'", "config.toml:2: agent.names.x must be text, found 1"),
        ("[[providers]]\nbase_url = 'u'", "config.toml:1: providers[0].name is missing · add it: text"),
        ("[agent]\ntemperature = nan", "config.toml:2: agent.temperature must be a number, found nan"),
        (
            "[agent]\nmax_steps = 99999999999999999999",
            "must be a whole number of at least 0, found 99999999999999999999",
        ),
        ("[extra]\nx = [inf]", "config.toml:2: extra.x must be a value, found a list"),
        ("[limits]\nleast = 11", "config.toml:1: limits: least is above most"),
    ],
)
def test_an_ill_typed_value_is_named_with_file_line_key_and_what_would_fit(
    tmp_path: Path, text: str, message: str
) -> None:
    assert message in refusal(tmp_path, text)


def test_a_value_that_fits_nowhere_is_not_repeated_in_the_message(tmp_path: Path) -> None:
    assert "sk-live" not in refusal(tmp_path, "agent.max_steps = 'sk-live-123456'")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("defaultmodel = 'x'", "config.toml:1: unknown key defaultmodel · did you mean default_model?"),
        ("\n\nmax_steps = 1", "config.toml:3: unknown key max_steps · did you mean agent.max_steps?"),
        ("[agent]\nmax_step = 1", "config.toml:2: unknown key agent.max_step · did you mean agent.max_steps?"),
        (
            "[[providers]]\nname='x'\nbaseurl=''",
            "unknown key providers[0].baseurl · did you mean providers[0].base_url?",
        ),
        ("zzz = 1", "config.toml:1: unknown key zzz · remove it; `daedal config` lists every key"),
        ('"a b\\u001b" = 1', 'config.toml:1: unknown key "a b\\u001b" ·'),
        ("[serve]\nauth_mode = 'none'", "config.toml:1: serve is known, but this version has no browser front end"),
        ("[aoi]\nname = 'x'", "config.toml:1: aoi is known, but this version has no "),
        ("[agent]\nmemory_compiler = 1", "config.toml:2: agent.memory_compiler is known, but this version has no "),
    ],
)
def test_an_unknown_key_is_named_with_what_was_probably_meant(tmp_path: Path, text: str, message: str) -> None:
    assert message in refusal(tmp_path, text)


def test_all_mistakes_are_told_at_once_but_not_without_end(tmp_path: Path) -> None:
    assert len(refusal(tmp_path, "a = 1\nb = 2\n[tools]\nfast = 3\n").splitlines()) == 3
    assert len(refusal(tmp_path, "".join(f"k{n} = 1\n" for n in range(1000))).splitlines()) == 10


def test_a_wrong_flag_is_named_as_a_flag(tmp_path: Path) -> None:
    assert refusal(tmp_path, agent__max_steps="x") == (
        "flag: agent.max_steps must be a whole number of at least 0, found text"
    )
    assert refusal(tmp_path, agent__nothing=1).startswith("flag: unknown key agent.nothing")


def test_a_check_that_only_the_sum_fails_names_the_file_that_decided(tmp_path: Path) -> None:
    message = refusal(tmp_path, "limits.least = 5\n", "[limits]\nmost = 6\n", limits__least=7)
    assert message == "flag: limits: least is above most"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a = 1\nb = = 2", "config.toml:2:5: not valid TOML: Invalid value · correct this line"),
        ("a = 1\n[tools", "config.toml:2:7: not valid TOML: Expected ']' at the end of a table declaration"),
        ("a = 1\na = 2", "config.toml:2:6: not valid TOML: Cannot overwrite a value"),
        ("x = " + "[" * 2000 + "]" * 2000, "config.toml: nested too deeply"),
        ("x" + ".x" * 2000 + " = 1", "config.toml: nested too deeply"),
        ("x = " + "9" * 5000, "config.toml: nested too deeply, or a number is too long"),
        (b"a = 1\nb = '\xff'", "config.toml:2: not UTF-8 text"),
        ("#" * 1_100_000, "config.toml is larger than 1048576 bytes"),
    ],
)
def test_a_file_that_cannot_be_read_as_toml_names_the_place(tmp_path: Path, text: str | bytes, message: str) -> None:
    assert message in refusal(tmp_path, text)


def test_a_folder_or_a_pipe_in_place_of_the_file_is_refused_without_waiting(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    for name in ("folder", "pipe"):
        with pytest.raises(ConfigurationError, match="not an ordinary file"):
            load(Settings, user_file=str(tmp_path / name), project_file=None, flags={})


def test_a_link_that_leads_in_circles_is_refused(tmp_path: Path) -> None:
    (tmp_path / "circle").symlink_to("circle")
    with pytest.raises(ConfigurationError, match=r"cannot read .*circle"):
        load(Settings, user_file=str(tmp_path / "circle"), project_file=None, flags={})


PLAIN = st.recursive(
    st.integers() | st.text(max_size=3) | st.lists(st.integers(), max_size=2),
    lambda inner: st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=8,
)
TABLES = st.dictionaries(st.sampled_from("abc"), PLAIN, max_size=3)


def leaf_paths(data: Any) -> dict[tuple[str, ...], Any]:
    if not isinstance(data, dict) or not data:
        return {(): data}
    return {(key, *path): leaf for key, value in data.items() for path, leaf in leaf_paths(value).items()}


@unhurried
@given(TABLES, TABLES)
def test_merging_keeps_every_word_of_the_stronger_and_what_the_weaker_adds(lower: Any, upper: Any) -> None:
    merged = merge(lower, upper)
    strong = {path: leaf for path, leaf in leaf_paths(upper).items() if leaf != {}}
    assert all(leaf_paths(merged)[path] == leaf for path, leaf in strong.items())
    for path, leaf in leaf_paths(merged).items():
        assert leaf in (leaf_paths(upper).get(path), leaf_paths(lower).get(path))
    assert merge(merged, upper) == merged


CHOICES = st.fixed_dictionaries(
    {},
    optional={
        "default_model": st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=4),
        "agent.temperature": st.floats(0, 2),
        "tools.fast": st.booleans(),
        "tools.enabled": st.lists(st.sampled_from(["a", "b"]), max_size=2),
    },
)


@unhurried
@given(user=CHOICES, project=CHOICES, flags=CHOICES)
def test_the_strongest_source_that_speaks_decides(
    tmp_path_factory: pytest.TempPathFactory, user: dict[str, Any], project: dict[str, Any], flags: dict[str, Any]
) -> None:
    def toml(choices: dict[str, Any]) -> str:
        return "".join(f"{key} = {msgspec.json.encode(value).decode()}\n" for key, value in choices.items())

    found = loaded(
        tmp_path_factory.mktemp("merge"),
        toml(user),
        toml(project),
        **{k.replace(".", "__"): v for k, v in flags.items()},
    )
    plain = msgspec.to_builtins(found.value)
    default = msgspec.to_builtins(Settings())
    for key in ("default_model", "agent.temperature", "tools.fast", "tools.enabled"):
        table, _, name = key.rpartition(".")
        kind, value = OriginKind.DEFAULT, (default[table] if table else default)[name]
        for source, choices in ((OriginKind.USER, user), (OriginKind.PROJECT, project), (OriginKind.FLAG, flags)):
            if key in choices:
                kind, value = source, choices[key]
        assert (plain[table] if table else plain)[name] == value
        assert found.origins[key].kind is kind
