"""Are the generated pages of docs/reference up to date, and does each setting and option say what it is for?"""

from importlib import import_module

from daedal.app import Settings
from daedal.cli.main import COMMANDS
from daedal.config.schema import describe, known_keys
from daedal.tui.commands import COMMANDS as SLASHES
from daedal.tui.commands import GROUPS
from tests.checks.left_out import LEFT_OUT
from tests.checks.reference import REFERENCE, out_of_date


def test_the_generated_pages_are_up_to_date():
    assert out_of_date() == [], "run python -m tests.checks.reference --write"


def test_a_command_that_is_left_out_is_none_of_ours():
    ours = {name for slash in SLASHES for name in (slash.name, *slash.aliases)}
    left = [name for _, names in LEFT_OUT for name in names]
    assert ours.isdisjoint(left)
    assert len(left) == len(set(left))


def test_every_slash_command_has_its_file_and_a_group():
    for slash in SLASHES:
        module = import_module(f"daedal.tui.commands.{slash.file}")
        assert hasattr(module, "run"), slash.name
        assert hasattr(module, "complete") == slash.completes, slash.name
        assert slash.group in GROUPS, slash.name


def test_every_setting_is_described():
    page = (REFERENCE / "config.md").read_text("utf-8")
    silent = [line for line in page.splitlines() if line.startswith("| `") and line.endswith("|  |")]
    assert not silent, "\n".join(silent)
    assert {path[0] for path in known_keys(describe(Settings))} <= {
        key.strip("`[]").split(".")[0].removesuffix("[]") for key in page.replace("|", " ").split()
    }


def test_every_option_says_what_it_is_for():
    silent = [
        f"daedal {name} {action.dest}"
        for name, module in {**COMMANDS, "eval": "eval"}.items()
        for action in import_module(f"daedal.cli.{module}").parser()._actions
        if not action.help
    ]
    assert not silent, silent
