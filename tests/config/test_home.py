"""Daedal's files and the project's are found where they should be."""

from pathlib import Path

import pytest

from daedal.config import (
    Files,
    database_path,
    dotenv_path,
    home,
    project_root,
    settings_files,
    trust_path,
    user_config_path,
)
from daedal.protocol.errors import ConfigurationError


@pytest.fixture(autouse=True)
def bare_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "me"))
    monkeypatch.delenv("DAEDAL_HOME", raising=False)
    monkeypatch.delenv("AGENT_SDLC_DB", raising=False)


def test_everything_is_in_the_hidden_folder_of_the_users_home(tmp_path: Path) -> None:
    folder = tmp_path / "me" / ".daedal"
    assert home() == str(folder)
    assert user_config_path() == str(folder / "config.toml")
    assert dotenv_path() == str(folder / ".env")
    assert database_path() == str(folder / "daedal.db")


def test_daedal_home_moves_everything(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DAEDAL_HOME", "elsewhere")
    assert home() == str(tmp_path / "elsewhere")
    assert database_path() == str(tmp_path / "elsewhere" / "daedal.db")
    monkeypatch.setenv("DAEDAL_HOME", "~/d")
    assert home() == str(tmp_path / "me" / "d")
    monkeypatch.setenv("DAEDAL_HOME", "")
    assert home() == str(tmp_path / "me" / ".daedal")


def test_the_database_is_where_its_variable_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("AGENT_SDLC_DB", "sub/ledger.db")
    assert database_path() == str(tmp_path / "sub" / "ledger.db")


def test_an_unknown_home_names_the_variable_to_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DAEDAL_HOME", "~nobody-of-this-name/x")
    with pytest.raises(ConfigurationError, match="DAEDAL_HOME"):
        home()


def test_the_project_begins_at_its_git_entry(tmp_path: Path) -> None:
    deep = tmp_path / "repo" / "a" / "b"
    deep.mkdir(parents=True)
    (tmp_path / "repo" / ".git").write_text("gitdir: elsewhere")
    assert project_root(str(deep)) == str(tmp_path / "repo")
    assert project_root(str(tmp_path / "repo" / "a" / "..")) == str(tmp_path / "repo")


def test_the_nearest_project_file_up_to_the_git_root_counts(tmp_path: Path) -> None:
    deep = tmp_path / "repo" / "a" / "b"
    deep.mkdir(parents=True)
    (tmp_path / "repo" / ".git").mkdir()
    (tmp_path / "daedal.toml").touch()
    assert settings_files(str(deep)).project is None
    (tmp_path / "repo" / "daedal.toml").touch()
    assert settings_files(str(deep)).project == str(tmp_path / "repo" / "daedal.toml")
    (tmp_path / "repo" / "a" / "daedal.toml").touch()
    assert settings_files(str(deep)).project == str(tmp_path / "repo" / "a" / "daedal.toml")


def test_without_git_only_the_folder_itself_is_the_project(tmp_path: Path) -> None:
    folder = tmp_path / "plain" / "sub"
    folder.mkdir(parents=True)
    (tmp_path / "plain" / "daedal.toml").touch()
    assert project_root(str(folder)) == str(folder)
    assert settings_files(str(folder)).project is None
    plain = str(tmp_path / "plain")
    assert settings_files(plain) == Files(
        user_config_path(),
        f"{plain}/daedal.toml",
        plain,
        "/etc/daedal/managed.toml",
        trust_path(),
        f"{plain}/.daedal/agent.json",
    )
