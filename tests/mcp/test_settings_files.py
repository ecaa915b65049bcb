"""How do servers come into and out of files, and whose files count?"""

import json
from pathlib import Path
from typing import Annotated, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Meta, Struct

from daedal.config import (
    Files,
    TrustFile,
    add_plugin,
    add_server,
    remove_plugin,
    remove_server,
    servers_path,
    trust_state,
)
from daedal.mcp import gathered
from daedal.protocol.errors import ConfigurationError
from tests.toolbox.requirement import requirement

MARKS = {"trusted_only": True, "lenient": True, "additive": True}


class Settings(Struct, frozen=True):
    """As much of the settings as servers need."""

    default_model: str = ""
    plugins: Annotated[list[dict[str, Any]], Meta(extra=MARKS)] = []


BEFORE = """# mine
default_model = "opus"

[[plugins]]
name = "one"
command = "one"
[plugins.env]
A = "b"

# about two
[[plugins]]
name = "two"
url = "https://two"
"""


def test_a_server_is_taken_out_with_its_tables_and_every_other_byte_stays(tmp_path: Path):
    file = tmp_path / "config.toml"
    file.write_text(BEFORE)
    assert remove_plugin(str(file), "one", Settings)
    assert file.read_text() == BEFORE.replace(
        '[[plugins]]\nname = "one"\ncommand = "one"\n[plugins.env]\nA = "b"\n\n', ""
    )
    assert remove_plugin(str(file), "two", Settings)
    assert file.read_text() == '# mine\ndefault_model = "opus"\n\n# about two\n'
    assert not remove_plugin(str(file), "two", Settings)


def test_what_cannot_be_edited_safely_is_left_alone(tmp_path: Path):
    file = tmp_path / "config.toml"
    file.write_text('plugins = [{ name = "one", command = "x" }]\n')
    for change in (
        lambda: remove_plugin(str(file), "one", Settings),
        lambda: add_plugin(str(file), {"name": "two", "command": "y"}, Settings),
    ):
        with pytest.raises(ConfigurationError, match="edit the file yourself"):
            change()
    assert file.read_text() == 'plugins = [{ name = "one", command = "x" }]\n'


TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
TABLES = st.fixed_dictionaries(
    {"name": TEXT, "command": TEXT},
    optional={"args": st.lists(TEXT), "env": st.dictionaries(TEXT, TEXT), "call_timeout_seconds": st.integers(0, 99)},
)


@given(table=TABLES)
def test_whatever_is_added_is_read_back_and_can_be_taken_out(
    tmp_path_factory: pytest.TempPathFactory, table: dict[str, Any]
):
    import tomllib

    file = tmp_path_factory.mktemp("home") / "config.toml"
    file.write_text("# mine\n")
    add_plugin(str(file), table, Settings)
    add_plugin(str(file), table, Settings)
    assert tomllib.loads(file.read_text()) == {"plugins": [table]}
    with pytest.raises(ConfigurationError, match="another"):
        add_plugin(str(file), {**table, "command": table["command"] + "!"}, Settings)
    assert remove_plugin(str(file), table["name"], Settings)
    assert file.read_text() == "# mine\n"


def test_servers_join_and_leave_a_project_s_json_and_all_else_stays(tmp_path: Path):
    file = tmp_path / ".mcp.json"
    file.write_text('{"mcpServers": {"one": {"command": "x"}}, "other": [1]}')
    add_server(str(file), "two", {"command": "y"})
    assert json.loads(file.read_text()) == {
        "mcpServers": {"one": {"command": "x"}, "two": {"command": "y"}},
        "other": [1],
    }
    with pytest.raises(ConfigurationError, match="two"):
        add_server(str(file), "two", {"command": "z"})
    assert remove_server(str(file), "one")
    assert not remove_server(str(file), "one")
    assert json.loads(file.read_text()) == {"mcpServers": {"two": {"command": "y"}}, "other": [1]}
    for text in ("[", "[]", '{"mcpServers": []}'):
        file.write_text(text)
        with pytest.raises(ConfigurationError):
            add_server(str(file), "three", {"command": "y"})
        assert file.read_text() == text


class Project:
    """A folder with servers of its own, and the user's settings beside it."""

    def __init__(self, root: Path) -> None:
        self.root = root / "project"
        self.root.mkdir()
        (root / "home").mkdir()
        self.files = Files(
            str(root / "home" / "config.toml"),
            str(self.root / "daedal.toml"),
            str(self.root),
            trust=str(root / "home" / "trust.json"),
        )

    def declare(self, **servers: Any) -> None:
        Path(servers_path(str(self.root))).write_text(json.dumps({"mcpServers": servers}, indent=1))

    def trust(self) -> None:
        TrustFile(self.files.trust or "").trust(str(self.root), trust_state(Settings, self.files).files)

    def gathered(self, *plugins: tuple[dict[str, Any], str], **environment: str):
        return gathered(
            [said for said, _ in plugins],
            origin=lambda index: plugins[index][1],
            schema=Settings,
            files=self.files,
            user_variables=environment,
            child_environment={"PATH": "/bin"},
            credential_names=["ANTHROPIC_API_KEY"],
        )


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


@requirement("RX-05", "SD-27")
def test_a_project_s_servers_count_once_the_folder_is_trusted_with_this_content(project: Project):
    project.declare(one={"command": "x"})
    assert project.gathered() == ([], [])
    project.trust()
    (server,), warnings = project.gathered()
    assert (server.slug, server.command, server.is_project, warnings) == ("one", "x", True, [])
    assert server.origin == f"{project.root}/.mcp.json:3"
    project.declare(one={"command": "y"})
    assert project.gathered() == ([], [])


@requirement("RX-05")
def test_settings_win_over_json_and_a_wrong_entry_is_named_with_its_line(project: Project):
    project.declare(one={"command": "json"}, bad={"command": 5})
    project.trust()
    (server,), (warning,) = project.gathered(({"name": "One", "command": "mine"}, f"{project.files.user}:4"))
    assert (server.command, server.is_project) == ("mine", False)
    assert warning.startswith(f"{project.root}/.mcp.json:6: the MCP server bad is left out: command must be text")


@requirement("RX-04")
def test_a_project_s_env_file_feeds_its_servers_without_keys_and_control_variables(project: Project):
    (project.root / ".env").write_text("TEAM=blue\nANTHROPIC_API_KEY=sk-1\nDAEDAL_HOME=/tmp\nPATH=/evil\n")
    project.declare(
        one={"command": "x", "env": {"T": "${TEAM}", "P": "${PATH}", "K": "${ANTHROPIC_API_KEY:-none}"}},
        two={"command": "x", "env": {"H": "${DAEDAL_HOME:-none}"}},
    )
    project.trust()
    servers, warnings = project.gathered(ANTHROPIC_API_KEY="sk-real")
    assert warnings == []
    assert [server.env for server in servers] == [{"T": "blue", "P": "/bin", "K": "none"}, {"H": "none"}]


@requirement("RX-04")
def test_a_link_does_not_make_the_user_s_saved_keys_the_project_s(project: Project):
    saved = project.root.parent / "home" / ".env"
    saved.write_text("STRIPE=sk-2\n")
    (project.root / ".env").symlink_to(saved)
    project.declare(one={"command": "x", "env": {"S": "${STRIPE:-none}"}})
    project.trust()
    (server,), _ = project.gathered(STRIPE="sk-2")
    assert server.env == {"S": "none"}
