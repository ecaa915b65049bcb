"""The ledger's copy of the settings counts until a config file changes."""

import os
from pathlib import Path
from typing import Any

import msgspec
import pytest

from daedal.config import Effective, Files, ModelConfig, Origin, OriginKind, effective, explain, fingerprint, load
from daedal.protocol.errors import ConfigurationError

from .example import Agent, Open, Provider, Settings, Tools, chosen


class Desk:
    """A ledger's snapshot table as `effective` sees it, and the two files."""

    def __init__(self, folder: Path) -> None:
        self.rows: dict[str, str] = {}
        self.writes = 0
        self.user = folder / "config.toml"
        self.project = folder / "daedal.toml"

    def put(self, rows: dict[str, str]) -> None:
        self.rows |= rows
        self.writes += 1

    @property
    def files(self) -> Files:
        return Files(str(self.user), str(self.project) if self.project.exists() else None)

    def start(self, **flags: Any) -> Effective[Settings]:
        return effective(
            Settings,
            snapshot=self.rows.get,
            put=self.put,
            files=self.files,
            flags={key.replace("__", "."): value for key, value in flags.items()},
            model_config=chosen,
        )

    def operator(self, settings: object) -> None:
        self.rows["effective"] = msgspec.json.encode(settings).decode()


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def test_the_first_start_stores_what_the_files_say(desk: Desk) -> None:
    desk.user.write_text('default_model = "a/b"\n[agent]\nmax_steps = 3\n')
    first = desk.start()
    assert first.value == Settings(default_model="a/b", agent=Agent(max_steps=3))
    assert first.model_config == ModelConfig("a", "b")
    assert not first.is_reused
    assert msgspec.json.decode(desk.rows["effective"]) == {
        "default_model": "a/b",
        "agent": {"max_steps": 3},
        "model_config": {"provider": "a", "model_id": "b"},
    }


def test_an_unchanged_start_reads_no_file_and_writes_nothing(desk: Desk) -> None:
    desk.user.write_text('default_model = "a/b"\n')
    status = desk.user.stat()
    first = desk.start()
    # Same size, same time, same inode: only someone who opened it would notice.
    with desk.user.open("r+") as file:
        file.write("not toml at all!!")
    os.utime(desk.user, ns=(status.st_atime_ns, status.st_mtime_ns))
    second = desk.start()
    assert second == msgspec.structs.replace(first, is_reused=True)
    assert desk.writes == 1


def test_a_changed_file_is_read_and_stored_again(desk: Desk) -> None:
    desk.start()
    desk.project.write_text("[tools]\nfast = true\n")
    assert desk.start().value == Settings(tools=Tools(fast=True))
    desk.project.unlink()
    assert desk.start().value == Settings()
    assert desk.writes == 3


def test_a_broken_file_is_an_error_at_every_start_and_stores_nothing(desk: Desk) -> None:
    desk.user.write_text("= broken")
    for _ in range(2):
        with pytest.raises(ConfigurationError, match="not valid TOML"):
            desk.start()
    assert desk.rows == {}


@pytest.mark.parametrize(
    ("update", "value", "model"),
    [
        ({}, Settings(), None),
        ({"hooks": [{"matcher": "*"}]}, Settings(), None),
        (
            {"model_config": {"provider": "lm_studio_local", "model_id": "lm_studio_server_routed"}},
            Settings(),
            ModelConfig("lm_studio_local", "lm_studio_server_routed"),
        ),
        (
            {"default_model": "x/y", "agent": {"max_steps": 9}},
            Settings(default_model="x/y", agent=Agent(max_steps=9)),
            ModelConfig("x", "y"),
        ),
        ({"providers": [{"name": "p", "new": 1}]}, Settings(providers=[Provider(name="p")]), None),
    ],
)
def test_an_operators_own_update_holds_until_a_config_file_changes(
    desk: Desk, update: object, value: Settings, model: ModelConfig | None
) -> None:
    desk.user.write_text("[agent]\nmax_steps = 3\n")
    desk.start()
    desk.operator(update)
    for _ in range(2):
        found = desk.start()
        assert (found.value, found.model_config, found.is_reused) == (value, model, True)
    desk.user.write_text("[agent]\nmax_steps = 30\n")
    assert desk.start().value == Settings(agent=Agent(max_steps=30))


@pytest.mark.parametrize(
    "update",
    ["not json", "[]", '{"agent": {"max_steps": "many"}}', '{"model_config": {"provider": "a"}}', '{"agent": null}'],
)
def test_an_operators_update_that_does_not_fit_is_an_error_that_names_the_scope(desk: Desk, update: str) -> None:
    desk.start()
    desk.rows["effective"] = update
    with pytest.raises(ConfigurationError, match="settings_snapshot, scope 'effective'"):
        desk.start()


def test_what_another_version_wrote_is_written_again_but_an_operators_update_is_kept(desk: Desk) -> None:
    desk.user.write_text("[agent]\nmax_steps = 3\n")
    desk.start()
    books = msgspec.json.decode(desk.rows["effective.source"]) | {"version": "0.0.1"}
    desk.rows["effective.source"] = msgspec.json.encode(books).decode()
    assert not desk.start().is_reused
    desk.rows["effective.source"] = msgspec.json.encode(books).decode()
    desk.operator({"agent": {"max_steps": 4}})
    assert desk.start().value == Settings(agent=Agent(max_steps=4))


def test_lost_or_strange_books_only_cost_a_reading_of_the_files(desk: Desk) -> None:
    desk.start()
    for books in ("", "null", "{}", "[1]"):
        desk.rows["effective.source"] = books
        assert not desk.start().is_reused


def test_flags_are_applied_last_and_never_stored(desk: Desk) -> None:
    desk.user.write_text('[agent]\nmax_steps = 3\n[agent.names]\na = "1"\n')
    for _ in range(2):
        found = desk.start(agent__max_steps=7, agent__names__b="2", default_model=None)
        assert found.value == Settings(agent=Agent(max_steps=7, names={"a": "1", "b": "2"}))
    assert "7" not in desk.rows["effective"]
    assert desk.start().value.agent.max_steps == 3


def test_a_flag_that_is_wrong_is_named_as_a_flag(desk: Desk) -> None:
    desk.user.write_text("[limits]\nmost = 5\n")
    with pytest.raises(ConfigurationError, match=r"^flag: agent.max_steps must be a whole number"):
        desk.start(agent__max_steps="x")
    with pytest.raises(ConfigurationError, match=r"^flag: unknown key agent.max_step · did you mean agent.max_steps"):
        desk.start(agent__max_step=1)
    with pytest.raises(ConfigurationError, match=r"^flag: limits: least is above most"):
        desk.start(limits__least=6)
    assert desk.start(limits__least=5).value.limits == Open(least=5, most=5)


def test_what_a_project_may_not_set_is_told_at_every_start(desk: Desk) -> None:
    desk.project.write_text("[agent]\nmax_steps = 3\n")
    warnings = [desk.start().warnings for _ in range(2)]
    assert warnings[0] == warnings[1]
    assert "daedal.toml:2: agent.max_steps is ignored" in warnings[0][0]
    assert "max_steps" not in desk.rows["effective"]


def test_two_projects_never_share_a_copy(desk: Desk, tmp_path: Path) -> None:
    other = Desk(tmp_path / "other")
    other.user.parent.mkdir()
    other.rows = desk.rows
    desk.project.write_text("[tools]\nfast = true\n")
    other.project.write_text("[tools]\nfast = false\n")
    assert desk.start().value.tools.fast
    assert not other.start().value.tools.fast


def test_a_fingerprint_tells_apart_presence_size_time_and_file(tmp_path: Path) -> None:
    user, other = tmp_path / "a", tmp_path / "b"
    seen = {fingerprint(Files(str(user)))}
    user.write_text("x")
    seen.add(fingerprint(Files(str(user))))
    user.write_text("xy")
    seen.add(fingerprint(Files(str(user))))
    os.utime(user, ns=(1, 1))
    seen.add(fingerprint(Files(str(user))))
    other.write_text("xy")
    os.utime(other, ns=(1, 1))
    seen.add(fingerprint(Files(str(other))))
    seen.add(fingerprint(Files(str(user), str(other))))
    (tmp_path / "circle").symlink_to("circle")
    seen.add(fingerprint(Files(str(tmp_path / "circle"))))
    assert len(seen) == 7
    assert fingerprint(Files(str(user))) == fingerprint(Files(str(user), str(tmp_path / "none")))


def test_explaining_shows_where_the_ledger_differs_from_the_files(desk: Desk) -> None:
    desk.user.write_text("[agent]\nmax_steps = 3\ntemperature = 1\n")
    desk.start()
    desk.operator({"agent": {"max_steps": 4, "temperature": 1}})
    from_files = load(Settings, user_file=str(desk.user), project_file=None, flags={})
    rows = {row.key: (row.value, row.origin) for row in explain(from_files, desk.start().value)}
    assert rows["agent.max_steps"] == (4, Origin(OriginKind.SNAPSHOT))
    assert rows["agent.temperature"] == (1.0, Origin(OriginKind.USER, str(desk.user), 3))
    assert str(Origin(OriginKind.SNAPSHOT)) == "the ledger's settings"
