"""Lists that add up, what does not fit and is left out, and what the machine's administrator decided."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from daedal.config import Effective, explain
from daedal.config.layers import Layer, OriginKind, combine, entry_origins
from daedal.config.schema import describe
from daedal.protocol.errors import ConfigurationError
from tests.config.example import unhurried
from tests.config.gate import Gated, Place, Rules
from tests.toolbox.requirement import requirement


def origins(place: Place, found: Effective[Gated], key: str, count: int) -> list[str]:
    return [place.short(found.origin(key, index)) for index in range(count)]


def test_rules_add_up_over_user_project_flags_and_managed_settings(place: Place) -> None:
    place.write("config.toml", '[permissions]\ndeny = [\n  "user 1",\n  "user 2",\n]\n')
    place.write("daedal.toml", '[permissions]\ndeny = ["project"]\n')
    place.write(".claude/settings.json", {"permissions": {"deny": ["claude"]}})
    place.write("managed.toml", 'permissions.deny = ["managed"]\n')
    for _ in range(2):
        found = place.start(permissions__deny=["flag"])
        assert found.value.permissions.deny == ["user 1", "user 2", "project", "claude", "flag", "managed"]
        assert origins(place, found, "permissions.deny", 6) == [
            "home/config.toml:3",
            "home/config.toml:4",
            "project/daedal.toml:2",
            "project/.claude/settings.json:4",
            "flag",
            "managed.toml:1",
        ]
    assert found.is_reused


def test_hooks_add_up_in_whatever_form_they_are_written(place: Place) -> None:
    place.write(
        "config.toml", '[[hooks.Stop]]\ncommand = "a"\n[[hooks.Setup]]\ncommand = "b"\n[[hooks.Stop]]\ncommand = "c"\n'
    )
    place.write("managed.toml", '[[hooks]]\nhook_event_name = "Stop"\ncommand = "d"\n')
    found = place.start()
    assert found.value.hooks == [
        {"hook_event_name": "Stop", "command": "a"},
        {"hook_event_name": "Stop", "command": "c"},
        {"hook_event_name": "Setup", "command": "b"},
        {"hook_event_name": "Stop", "command": "d"},
    ]
    lines = ["home/config.toml:1", "home/config.toml:5", "home/config.toml:3", "managed.toml:1"]
    assert origins(place, found, "hooks", 4) == lines


def test_explaining_names_the_origin_of_each_entry(place: Place) -> None:
    place.write("config.toml", '[permissions]\nallow = ["a"]\ndeny = ["b"]\n')
    place.write("daedal.toml", '[permissions]\ndeny = ["c"]\n')
    rows = {row.key: (row.value, place.short(str(row.origin))) for row in explain(place.load())}
    assert rows["permissions.allow[0]"] == ("a", "home/config.toml:2")
    assert rows["permissions.deny[0]"] == ("b", "home/config.toml:3")
    assert rows["permissions.deny[1]"] == ("c", "project/daedal.toml:2")
    assert rows["hooks"] == ([], "default")


lists = st.lists(st.text(max_size=3), max_size=4)


@given(st.lists(lists, max_size=4))
@unhurried
def test_nothing_is_lost_or_reordered_when_lists_add_up(sources: list[list[str]]) -> None:
    layers = [Layer(OriginKind.FLAG, {"permissions": {"deny": entries}}) for entries in sources]
    combined = combine(layers, describe(Gated)).get("permissions", {}).get("deny", [])
    assert combined == [entry for entries in sources for entry in entries]
    assert len(entry_origins(layers, describe(Gated)).get("permissions.deny", [])) == len(combined)


# --- what does not fit


@requirement("SD-15")
def test_a_wrong_rule_is_left_out_by_file_and_line_and_the_others_stay(place: Place) -> None:
    text = '[permissions]\ndeny = [\n  "a",\n  3,\n  "b",\n]\ndefaultMode = "auto"\nzzz = 1\nallow = "x"\n'
    place.write("config.toml", text)
    found = place.start()
    assert found.value.permissions == Rules(deny=["a", "b"])
    assert [place.short(warning) for warning in found.warnings] == [
        "home/config.toml:4: left out: permissions.deny[1] must be text, found 3",
        'home/config.toml:7: left out: permissions.defaultMode must be one of "default", "plan", found other text',
        "home/config.toml:8: left out: unknown key permissions.zzz · did you mean permissions.deny?",
        "home/config.toml:9: left out: permissions.allow must be a list, each entry text, found text",
    ]
    assert origins(place, found, "permissions.deny", 2) == ["home/config.toml:3", "home/config.toml:5"]
    assert place.start().warnings == found.warnings


def test_hooks_that_are_no_tables_are_left_out(place: Place) -> None:
    place.write("config.toml", 'hooks = { Stop = "x", Setup = [1, { command = "a" }] }\n')
    found = place.start()
    assert found.value.hooks == [{"hook_event_name": "Setup", "command": "a"}]
    assert [warning.count("config.toml:1: left out: hooks") for warning in found.warnings] == [1, 1]


def test_elsewhere_the_users_own_mistake_is_an_error(place: Place) -> None:
    place.write("config.toml", "name = 3\n")
    with pytest.raises(ConfigurationError, match=r"config.toml:1: name must be text, found 3"):
        place.start()


def test_a_projects_mistake_costs_it_only_the_part_that_is_wrong(place: Place) -> None:
    place.write("daedal.toml", 'nmae = "typo"\nname = "kept"\n[permissions]\ndeny = ["kept"]\n')
    found = place.load()
    assert found.value == Gated(name="kept", permissions=Rules(deny=["kept"]))
    assert "daedal.toml:1: left out: unknown key nmae · did you mean name?" in found.warnings[0]


def test_a_flood_of_mistakes_is_a_few_lines(place: Place) -> None:
    place.write("daedal.toml", "".join(f"x{number} = 1\n" for number in range(1000)))
    assert len(place.load().warnings) == 11


@requirement("SD-29")
@pytest.mark.parametrize(
    ("written", "value"),
    [
        (
            {"hooks": [{"hook_event_name": "PreToolUse", "matcher": "Bash", "command": "exit 2"}]},
            Gated(hooks=[{"hook_event_name": "PreToolUse", "matcher": "Bash", "command": "exit 2"}]),
        ),
        (
            {"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"command": "exit 2"}]}]}},
            Gated(hooks={"PreToolUse": [{"matcher": "Bash", "hooks": [{"command": "exit 2"}]}]}),
        ),
        (
            {"permissions": {"deny": ["a", 3], "defaultMode": "auto", "later": 1}, "unheard": {}},
            Gated(permissions=Rules(deny=["a"])),
        ),
    ],
)
def test_what_an_operator_writes_into_the_ledger_loads(place: Place, written: object, value: Gated) -> None:
    """Also where nobody had started in this ledger before."""
    place.rows["effective"] = msgspec.json.encode(written).decode()
    for _ in range(2):
        found = place.start()
        assert (found.value, found.is_reused) == (value, True)
    assert found.origin("hooks", 0) == "the ledger's settings"


def test_an_operators_hooks_stay_when_flags_or_managed_settings_come_on_top(place: Place) -> None:
    place.rows["effective"] = '{"hooks": {"Stop": [{"command": "a"}]}}'
    place.write("managed.toml", '[[hooks.Stop]]\ncommand = "b"\n')
    found = place.start(name="flag")
    assert found.value.hooks == [
        {"hook_event_name": "Stop", "command": "a"},
        {"hook_event_name": "Stop", "command": "b"},
    ]
    assert origins(place, found, "hooks", 2) == ["the ledger's settings", "managed.toml:1"]


# --- what is managed


def test_managed_settings_outrank_flags_and_no_update_of_the_ledger_lifts_them(place: Place) -> None:
    place.write("managed.toml", 'name = "managed"\n[permissions]\ndeny = ["x"]\nmanaged_only = true\n')
    place.start()
    place.rows["effective"] = "{}"
    found = place.start(name="flag")
    assert found.value == Gated(name="managed", permissions=Rules(deny=["x"], managed_only=True))
    assert found.managed == Gated(name="managed", permissions=Rules(deny=["x"], managed_only=True))
    assert "managed" not in "".join(place.rows.values()).replace("managed.toml", "")


def test_which_rules_are_managed_stays_known(place: Place) -> None:
    place.write("config.toml", '[permissions]\nallow = ["mine"]\n')
    assert place.start().managed is None
    place.write("managed.toml", '[permissions]\nallow = ["theirs"]\n')
    found = place.start()
    assert found.value.permissions.allow == ["mine", "theirs"]
    assert found.managed == Gated(permissions=Rules(allow=["theirs"]))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("= broken", "managed.toml:1:1: not valid TOML"),
        ("name = 3", "managed.toml:1: name must be text"),
        ("unheard = 3", "managed.toml:1: unknown key unheard"),
        ("permissions.deny = [3]", "managed.toml:1: left out: permissions.deny\\[0\\] must be text"),
    ],
)
def test_managed_settings_that_are_wrong_are_never_passed_over(place: Place, text: str, message: str) -> None:
    path = place.write("managed.toml", text)
    for start in (place.start, place.load):
        with pytest.raises(ConfigurationError, match=message):
            start()
    path.unlink()
    path.mkdir()
    with pytest.raises(ConfigurationError, match=r"managed.toml: it is not an ordinary file"):
        place.start()


# --- what is stored


@requirement("SD-07")
def test_a_credential_that_somebody_wrote_into_a_command_is_not_stored(place: Place) -> None:
    from daedal.config import effective
    from daedal.protocol.redaction import Redactor

    place.write("config.toml", '[[hooks.Stop]]\ncommand = "curl -H \'X: sk-\\"quoted\\"-secret\'"\n')
    redactor = Redactor([("KEY", 'sk-"quoted"-secret')])
    for _ in range(2):
        found = effective(
            Gated,
            snapshot=place.rows.get,
            put=place.rows.update,
            files=place.files,
            flags={},
            model_config=lambda _: None,
            redact=lambda _, plain: redactor.value(plain),
        )
        assert found.value.hooks[0]["command"] == "curl -H 'X: sk-\"quoted\"-secret'"
        assert "quoted" not in "".join(place.rows.values())
        assert not found.is_reused
