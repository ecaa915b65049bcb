"""Are Codex's words understood as ours? Commands, patches, troubles and walls, also where they are odd."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daedal.guests.codex.calls import command_call, outcome_of, patch_call, script_of, told_outcome
from daedal.guests.codex.troubles import trouble
from daedal.guests.codex.walls import stand, terms_of
from daedal.guests.patches import parts_of
from daedal.protocol.confinement import Confinement, Network
from daedal.protocol.turns import ErrorKind
from daedal.protocol.verdict import ToolRequest

HERE = "/home/u/project"


@pytest.mark.parametrize(
    ("command", "script"),
    [
        ("/bin/bash -lc 'ls -la'", "ls -la"),
        ("/usr/bin/zsh -c 'a && b'", "a && b"),
        ("/tmp/bash -c ls", "/tmp/bash -c ls"),
        ("bash -c ls", "bash -c ls"),
        ("/bin/bash -c 'ls' x", "/bin/bash -c 'ls' x"),
        ("/bin/bash -c 'unclosed", "/bin/bash -c 'unclosed"),
    ],
)
def test_only_what_the_systems_shell_is_told_counts_as_the_command(command: str, script: str):
    assert script_of(command) == script


@given(st.text())
def test_any_command_has_a_script(command: str):
    assert isinstance(script_of(command), str)


def test_a_command_elsewhere_is_another_command():
    call = command_call("c", {"command": "/bin/sh -c 'rm x'", "cwd": "/home/u/other place"}, HERE)
    assert json.loads(call.arguments) == {"command": "cd '/home/u/other place' && rm x"}


def test_a_reason_is_a_wish_to_leave_the_walls():
    call = command_call("c", {"command": "ls", "cwd": HERE, "reason": "I must"}, HERE)
    assert json.loads(call.arguments)["dangerouslyDisableSandbox"] is True


def test_each_file_of_a_patch_is_judged_as_what_happens_to_it():
    kinds = [("a", {"type": "add"}), ("b", {"type": "update", "move_path": None}), ("c", {"type": "delete"})]
    kinds.append(("d", {"type": "update", "move_path": f"{HERE}/e"}))
    changes = [{"path": f"{HERE}/{name}", "kind": kind, "diff": "x"} for name, kind in kinds]
    call = patch_call("c", {"type": "fileChange", "changes": changes})
    request = ToolRequest(
        tool_use_id="c",
        tool=call.name,
        input=json.loads(call.arguments),
        read_only=False,
        paths=[],
        cwd=HERE,
        principal="person:u",
    )
    parts = parts_of(request)
    assert [part.tool for part in parts] == ["Write", "Edit", "Delete", "Move"]
    assert parts[3].paths == [f"{HERE}/d", f"{HERE}/e"]


def test_what_codex_told_its_model_tells_how_a_command_ended():
    text = "Chunk ID: 1\nWall time: 0.1 seconds\nProcess exited with code 3\nOriginal token count: 1\nOutput:\nno\n"
    outcome = told_outcome(text)
    assert (outcome.exit_code, outcome.is_error, outcome.content) == (3, True, "Exit code 3\nno\n")
    assert told_outcome("Process running with session ID 7").exit_code is None


@pytest.mark.parametrize(
    ("info", "kind"),
    [
        ("usageLimitExceeded", ErrorKind.RATE_LIMIT),
        ({"httpConnectionFailed": {"httpStatusCode": 401}}, ErrorKind.AUTHENTICATION),
        ({"httpConnectionFailed": {"httpStatusCode": 503}}, ErrorKind.SERVER),
        ({"responseStreamDisconnected": {"httpStatusCode": None}}, ErrorKind.NETWORK),
        ("somethingNew", ErrorKind.SERVER),
        (None, ErrorKind.SERVER),
    ],
)
def test_troubles_have_our_kinds(info: object, kind: ErrorKind):
    assert trouble({"message": "no", "codexErrorInfo": info}, None).kind is kind


@given(
    st.recursive(
        st.none() | st.integers() | st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)
    )
)
def test_no_trouble_is_too_odd_to_be_told(error: object):
    assert str(trouble(error, None)).startswith("Codex gave up")


def test_our_walls_become_a_profile_and_no_folder_upwards_is_trusted():
    walls = Confinement(
        workspace=HERE, writable=[HERE, "/tmp"], read_only=[f"{HERE}/.daedal"], unreadable=["/home/u/.daedal/.env"]
    )
    terms = terms_of(walls, HERE)
    profile = terms["config"]["permissions"]["daedal"]
    assert terms["approvalPolicy"] == "untrusted"
    assert profile["filesystem"] == {
        ":root": "read",
        HERE: "write",
        "/tmp": "write",
        f"{HERE}/.daedal": "read",
        "/home/u/.daedal/.env": "none",
    }
    assert profile["network"] == {"enabled": False}
    assert list(terms["config"]["projects"]) == [HERE, "/home/u", "/home", "/"]


def test_a_list_of_domains_is_no_network_since_codex_cannot_keep_to_it():
    walls = Confinement(workspace=HERE, writable=[HERE], network=Network.LISTED, domains=["pypi.org"])
    assert terms_of(walls, HERE)["config"]["permissions"]["daedal"]["network"] == {"enabled": False}


@pytest.mark.parametrize(
    ("told", "is_up"), [({"type": "workspaceWrite"}, True), ({"type": "dangerFullAccess"}, False), (None, False)]
)
def test_walls_stand_only_where_codex_says_so(told: object, is_up: bool):
    assert stand(told) is is_up


def test_an_item_that_makes_no_sense_is_still_an_outcome():
    assert outcome_of({"type": "commandExecution", "status": "failed"}).is_error
    assert outcome_of({"type": "fileChange", "status": "failed", "changes": None}).is_error
