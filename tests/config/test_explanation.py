"""Every setting can be shown with its value, who set it and what it is for."""

from pathlib import Path

import pytest

from daedal.config import Loaded, Origin, OriginKind, Row, explain, get_value, load
from daedal.protocol.errors import ConfigurationError

from .example import Settings


def from_text(tmp_path: Path, text: str) -> Loaded[Settings]:
    file = tmp_path / "config.toml"
    file.write_text(text)
    return load(Settings, user_file=str(file), project_file=None, flags={"tools.fast": True})


def test_every_setting_is_explained_defaults_included(tmp_path: Path) -> None:
    text = '[agent]\nmax_steps = 3\nnames = { a = "1" }\n[[providers]]\nname = "p"\nmodels = ["m"]\n'
    user, default = str(tmp_path / "config.toml"), Origin(OriginKind.DEFAULT)
    assert explain(from_text(tmp_path, text)) == [
        Row("default_model", "none", default, "The model to start with."),
        Row("agent.max_steps", 3, Origin(OriginKind.USER, user, 2), "Rounds per turn."),
        Row("agent.temperature", 0.0, default, "How freely it talks."),
        Row("agent.names.a", "1", Origin(OriginKind.USER, user, 3), ""),
        Row("agent.mode", "ask", default, ""),
        Row("tools.enabled", [], default, ""),
        Row("tools.fast", True, Origin(OriginKind.FLAG), ""),
        Row("tools.terminal.path", None, default, ""),
        Row("tools.terminal.colour", "red", default, ""),
        Row("providers[0].name", "p", Origin(OriginKind.USER, user, 5), ""),
        Row("providers[0].base_url", "", default, ""),
        Row("providers[0].models", ["m"], Origin(OriginKind.USER, user, 6), ""),
        Row("providers[0].secret_name", "", default, ""),
        Row("labels", [], default, ""),
        Row("extra", {}, default, ""),
        Row("limits.least", 0, default, ""),
        Row("limits.most", 10, default, ""),
    ]


def test_one_value_or_a_whole_table_can_be_asked_for(tmp_path: Path) -> None:
    value = from_text(tmp_path, '[[providers]]\nname = "p"\n').value
    assert get_value(value, "agent.max_steps") == 0
    assert get_value(value, "providers[0].name") == "p"
    assert get_value(value, "limits") == {"least": 0, "most": 10}


def test_asking_for_what_is_not_there_says_what_is(tmp_path: Path) -> None:
    value = from_text(tmp_path, "").value
    with pytest.raises(ConfigurationError, match=r"unknown key agent.maxsteps · did you mean agent.max_steps\?"):
        get_value(value, "agent.maxsteps")
    with pytest.raises(ConfigurationError, match="serve is known, but this version has no browser front end"):
        get_value(value, "serve")
    with pytest.raises(ConfigurationError, match=r"^providers\[0\]\.name is not there"):
        get_value(value, "providers[0].name")
