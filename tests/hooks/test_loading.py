"""Which hooks do settings ask for, what is dropped, and in which order do they run?"""

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daedal.hooks import Hook, Shell, load_hooks, total_order
from daedal.protocol.errors import ConfigurationError
from daedal.protocol.hooks import HookEvent
from tests.toolbox.requirement import requirement

PRE = HookEvent.PRE_TOOL_USE
FULL = {"command": "x", "shell": "sh", "timeout": 5, "if": "Bash(git:*)", "required": True}
LOADED = Hook(
    event=PRE,
    matcher="Bash",
    command="x",
    shell=Shell.SH,
    timeout_s=5,
    condition="Bash(git:*)",
    required=True,
    source="a.toml",
)


@requirement("SD-11")
@pytest.mark.parametrize(
    "raw",
    [
        [{"hook_event_name": "PreToolUse", "matcher": "Bash", **FULL}],
        [{"hook_event_name": "PreToolUse", "matcher": "Bash", "hooks": [FULL]}],
        {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", **FULL}]}]},
        {"PreToolUse": [{"matcher": "Bash", **FULL}]},
    ],
    ids=["flat", "flat with groups", "nested", "nested without groups"],
)
def test_flat_and_nested_forms_say_the_same(raw: object):
    assert load_hooks(raw, "a.toml") == ([LOADED], [])


def test_toml_tables_are_hooks_too():
    text = """
    [[hooks.PreToolUse]]
    matcher = "Bash"
    command = "one"
    [[hooks.PreToolUse]]
    matcher = "Edit|Write"
    [[hooks.PreToolUse.hooks]]
    type = "command"
    command = "two"
    [[hooks.Stop]]
    command = "three"
    """
    hooks, warnings = load_hooks(tomllib.loads(text)["hooks"], "daedal.toml")
    assert [(hook.event, hook.matcher, hook.command) for hook in hooks] == [
        ("PreToolUse", "Bash", "one"),
        ("PreToolUse", "Edit|Write", "two"),
        ("Stop", "", "three"),
    ]
    assert warnings == []


WRONG = {
    "no event": ({"command": "x"}, "hook_event_name"),
    "unknown event": ({"hook_event_name": "PreTool", "command": "x"}, "PreTool"),
    "no command": ({"hook_event_name": "Stop"}, "command"),
    "empty command": ({"hook_event_name": "Stop", "command": " "}, "command"),
    "NUL in the command": ({"hook_event_name": "Stop", "command": "a\0b"}, "command"),
    "other type": ({"hook_event_name": "Stop", "type": "prompt", "prompt": "x"}, "prompt"),
    "type of no kind": ({"hook_event_name": "Stop", "type": 7, "command": "x"}, "7"),
    "other shell": ({"hook_event_name": "Stop", "command": "x", "shell": "fish"}, "fish"),
    "shell of no kind": ({"hook_event_name": "Stop", "command": "x", "shell": ["sh"]}, "sh"),
    "timeout in words": ({"hook_event_name": "Stop", "command": "x", "timeout": "10"}, "timeout"),
    "timeout of yes": ({"hook_event_name": "Stop", "command": "x", "timeout": True}, "timeout"),
    "timeout of nothing": ({"hook_event_name": "Stop", "command": "x", "timeout": 0}, "timeout"),
    "endless timeout": ({"hook_event_name": "Stop", "command": "x", "timeout": float("inf")}, "timeout"),
    "matcher of no kind": ({"hook_event_name": "Stop", "command": "x", "matcher": 1}, "matcher"),
    "condition of no kind": ({"hook_event_name": "Stop", "command": "x", "if": []}, "if"),
    "required in words": ({"hook_event_name": "Stop", "command": "x", "required": "yes"}, "required"),
    "no object": ("exit 2", "object"),
    "group without a list": ({"hook_event_name": "Stop", "hooks": "x"}, "list"),
    "member that is no object": ({"hook_event_name": "Stop", "hooks": ["x"]}, "object"),
}


@pytest.mark.parametrize("name", list(WRONG))
def test_what_is_no_hook_is_dropped_and_named_and_the_others_stay(name: str):
    entry, word = WRONG[name]
    fine = {"hook_event_name": "Stop", "command": "fine"}
    hooks, [warning] = load_hooks([entry, fine], ["a.toml:12", "b.toml:3"].__getitem__)
    assert [(hook.command, hook.source) for hook in hooks] == [("fine", "b.toml:3")]
    assert warning.startswith("a.toml:12: hooks[0]")
    assert word in warning


def test_a_member_of_a_group_may_say_when_it_runs_itself():
    raw = {"Stop": [{"matcher": "a", "hooks": [{"hook_event_name": "Setup", "matcher": "b", "command": "x"}]}]}
    [hook], warnings = load_hooks(raw, "a.toml")
    assert (hook.event, hook.matcher, warnings) == ("Setup", "b", [])


def test_groups_without_end_are_dropped():
    entry: dict = {"command": "x"}
    for _ in range(400):
        entry = {"hooks": [entry]}
    hooks, warnings = load_hooks({"Stop": [entry]}, "a.toml")
    assert (hooks, len(warnings)) == ([], 1)


@pytest.mark.parametrize("raw", [None, [], {}])
def test_no_hooks_are_no_trouble(raw: object):
    assert load_hooks(raw, "a.toml") == ([], [])


@pytest.mark.parametrize("raw", ["x", 7, {"PreToolUse": {"command": "x"}}, {"Nope": []}])
def test_what_is_no_list_is_named(raw: object):
    hooks, warnings = load_hooks(raw, "a.toml")
    assert (hooks, len(warnings)) == ([], 1)


def test_keys_without_meaning_are_named_and_the_hook_stays():
    hooks, [first, second] = load_hooks(
        [{"hook_event_name": "Stop", "command": "x", "async": True, "required": True}], "a.toml"
    )
    assert len(hooks) == 1
    assert "async" in first
    assert "required" in second


@requirement("SD-10")
def test_a_matcher_that_is_no_expression_is_named_at_once():
    hooks, [warning] = load_hooks([{"hook_event_name": "Stop", "command": "x", "matcher": "Bash("}], "a.toml")
    assert [hook.matcher for hook in hooks] == ["Bash("]
    assert "Bash(" in warning


def test_windows_refuses_shells_that_are_not_there():
    raw = [{"hook_event_name": "Stop", "command": "x"}]
    with pytest.raises(ConfigurationError, match="powershell"):
        load_hooks(raw, "a.toml", platform="win32")
    assert load_hooks([{**raw[0], "shell": "powershell"}], "a.toml", platform="win32")[1] == []


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda below: (
        st.lists(below, max_size=3)
        | st.dictionaries(
            st.sampled_from(["hooks", "PreToolUse", "matcher", "command", "type", "shell", "timeout", "if"])
            | st.text(),
            below,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(JSON)
def test_nothing_that_settings_hold_is_an_exception(raw: object):
    load_hooks(raw, "a.toml")


def named(*commands: str, event: HookEvent = PRE) -> list[Hook]:
    return [Hook(event=event, command=command) for command in commands]


@requirement("SD-11")
def test_settings_come_first_then_plugins_by_name_then_the_session():
    order = total_order(named("s1", "s2"), {"b": named("b1"), "B": named("B1"), "a": named("a1", "a2")}, named("z"))
    assert [(hook.ordinal, hook.command) for hook in order] == list(
        enumerate(["s1", "s2", "B1", "a1", "a2", "b1", "z"])
    )


@requirement("SD-11")
def test_neighbours_that_are_the_same_hook_are_one():
    order = total_order(named("x", "x", "y", "x"), {"p": named("x")}, named("x"))
    assert [(hook.ordinal, hook.command) for hook in order] == [(0, "x"), (1, "y"), (2, "x")]


@requirement("SD-11")
@pytest.mark.parametrize(
    "other",
    [{"event": HookEvent.STOP}, {"matcher": "Bash"}, {"command": "y"}, {"shell": Shell.SH}, {"condition": "Bash"}],
)
def test_neighbours_that_differ_in_anything_that_counts_are_two(other: dict):
    first = Hook(event=PRE, command="x")
    assert len(total_order([first, Hook(**{"event": PRE, "command": "x", **other})])) == 2


def test_neighbours_that_differ_in_the_rest_are_one_and_required_if_either_is():
    twins = [
        Hook(event=PRE, command="x", source="a"),
        Hook(event=PRE, command="x", source="b", required=True, timeout_s=1),
    ]
    assert total_order(twins) == [Hook(event=PRE, command="x", source="a", required=True)]
