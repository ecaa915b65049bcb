"""How are rules read, granted and changed?"""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daedal.permissions import (
    Grounds,
    PermissionSettings,
    RuleSet,
    RulesPolicy,
    Stage,
    Suggestions,
    compile_rules,
    parse_rule,
    read_update,
    rule_matches,
    suggested,
    with_update,
)
from daedal.protocol.verdict import Decision, Posture, ToolRequest, Verdict
from tests.toolbox.requirement import requirement

GROUNDS = Grounds(
    workspace="/ws", readable=["/tmp"], secret=["/home/u/.daedal/.env"], unwritable=["/home/u/.daedal"], home="/home/u"
)


def request(tool: str, *, paths: list[str] | None = None, read_only: bool = False, **arguments: object) -> ToolRequest:
    return ToolRequest(
        tool_use_id="t",
        tool=tool,
        input=arguments,
        read_only=read_only,
        paths=paths or [],
        cwd="/ws",
        principal="person:ada",
    )


def rules(**settings: object) -> RuleSet:
    return compile_rules(PermissionSettings(**settings))[0]  # type: ignore[arg-type]


def decide(rule_set: RuleSet, asked: ToolRequest, posture: Posture = Posture.ASK, **options: object) -> Decision:
    return RulesPolicy(posture, GROUNDS, rule_set, **options).decide(asked)  # type: ignore[arg-type]


def offered(asked: ToolRequest) -> Suggestions:
    return suggested(asked, workspace="/ws", home="/home/u")


def session(asked: ToolRequest) -> list[str]:
    return offered(asked).for_session


INVALID = ["", " ", "Bash(", "Bash)", "Bash()", "Bash(ls) x", "(ls)", "lsx", "bash2", "Bash(:*)", "Bash(a:*b)"]
INVALID += ["mcp__a(b)", "mcp__", "mcp__a b", "WebFetch(example.com)", "WebFetch(domain:)", "WebFetch(domain:a/b)"]
INVALID += [
    "WebFetch(domain:https://a)",
    "Edit(!a)",
    "Edit(a:*)",
    "Edit([z-a])",
    "Bash(a\nb)",
    "Bash(" + "a" * 5000 + ")",
]


@requirement("SD-15")
@pytest.mark.parametrize("text", INVALID)
def test_an_invalid_rule_is_left_out_and_told_and_the_others_hold(text: str):
    rule_set, invalid = compile_rules(PermissionSettings(deny=["Bash(rm:*)", text, "Edit"]))
    assert [rule.text for rule in rule_set.deny] == ["Bash(rm:*)", "Edit"]
    [wrong] = invalid
    assert (wrong.behavior, wrong.index, wrong.text) == ("deny", 1, text)
    assert repr(text) in str(wrong)
    assert wrong.why


@given(st.text(max_size=40))
def test_any_text_is_a_rule_or_is_refused(text: str):
    for candidate in (text, f"Edit({text})", f"Bash({text})", f"WebFetch({text})"):
        with suppress(ValueError):
            rule = parse_rule(candidate)
            assert decide(
                RuleSet(deny=(rule,), allow=(rule,)), request("Edit", paths=["/ws/a/b"], file_path="a/b")
            ).rule


@given(st.text(alphabet="a*?[]!/\\.-^&~|", max_size=12), st.text(alphabet="a/.-*]", min_size=1, max_size=12))
def test_any_pattern_is_matched_or_refused(pattern: str, path: str):
    rule_set, _ = compile_rules(PermissionSettings(deny=[f"Edit({pattern})"]))
    assert decide(rule_set, request("Edit", paths=[f"/ws/{path}"], file_path=path)).rule


@given(st.text(alphabet="ab *?[]!#()\\.-~", min_size=1, max_size=12))
def test_what_is_suggested_for_a_file_covers_that_file_and_no_other(name: str):
    asked = request("Edit", paths=[f"/ws/{name}"], file_path=name)
    always = offered(asked).always
    for rule in always:
        assert decide(rules(allow=[rule]), asked).verdict is Verdict.ALLOW
        other = request("Edit", paths=["/ws/other-file"], file_path="other-file")
        assert decide(rules(allow=[rule]), other).verdict is Verdict.ASK


@requirement("RX-10")
@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("go test ./...", ["Bash(go test ./...)", "Bash(go test:*)"]),
        ("ls -la", ["Bash(ls -la)", "Bash(ls:*)"]),
        ("npm run build -- -v", ["Bash(npm run build -- -v)", "Bash(npm run build:*)"]),
        ("npm run", ["Bash(npm run)"]),
        ("npm exec x", ["Bash(npm exec x)"]),
        ("git config alias.x y", ["Bash(git config alias.x y)"]),
        ("curl https://a.example", ["Bash(curl https://a.example)"]),
        ("git -C x status", ["Bash(git -C x status)"]),
        ("git", ["Bash(git)"]),
        ("rm -rf build", ["Bash(rm -rf build)"]),
        ("sudo ls", ["Bash(sudo ls)"]),
        ("python -c 'x'", ["Bash(python -c 'x')"]),
        ("./run", ["Bash(./run)"]),
        ("ls | wc", ["Bash(ls | wc)"]),
        ("ls $(id)", ["Bash(ls $(id))"]),
        ("ls > /etc/x", ["Bash(ls > /etc/x)"]),
        ("ls *", ["Bash(ls:*)"]),
        ("a\nb", []),
        ("", []),
    ],
)
def test_a_command_is_offered_as_it_is_and_by_a_careful_prefix(line: str, expected: list[str]):
    assert session(request("Bash", command=line)) == expected


@requirement("RX-10")
def test_other_tools_are_offered_by_what_they_are_about():
    edit = request("Write", paths=["/ws/a.md"], file_path="a.md")
    assert (offered(edit).for_session, offered(edit).always) == (["Edit"], ["Edit(//ws/a.md)"])
    move = request("move_file", paths=["/ws/a", "/ws/b"], source_path="a", destination_path="b")
    assert offered(move).always == ["Edit(//ws/a)", "Edit(//ws/b)"]
    assert decide(rules(allow=offered(move).always), move).verdict is Verdict.ALLOW
    assert session(request("Read", paths=["/etc/x"], read_only=True, file_path="/etc/x")) == ["Read(//etc/x)"]
    assert session(request("WebFetch", url="https://a.example/x")) == ["WebFetch(domain:a.example)"]
    assert session(request("WebFetch", url="https://u@a.example/x")) == []
    assert session(request("mcp__s__t")) == ["mcp__s__t"]
    assert session(request("Skill", skill="deploy")) == ["Skill(deploy)"]


@requirement("RX-10")
def test_a_grant_holds_from_then_on_and_lifts_no_deny():
    asked = request("Bash", command="go test ./...")
    granted = rules(deny=["Bash(go vet:*)"]).with_allowed("Bash(go test:*)")
    assert decide(granted, asked).rule == "allow: Bash(go test:*)"
    assert decide(granted.with_allowed("Bash"), request("Bash", command="go vet")).verdict is Verdict.DENY


@requirement("SD-14")
def test_every_kind_of_update_takes_effect():
    before = rules(deny=["Bash(rm:*)"])
    value = {"toolName": "Bash", "ruleContent": "ls:*"}

    def update(kind: str, **more: object) -> dict[str, object]:
        return {"type": kind, "destination": "session", **more}

    added = with_update(before, update("addRules", rules=[value, {"toolName": "Edit"}], behavior="allow"))
    assert [rule.text for rule in added.allow] == ["Bash(ls:*)", "Edit"]
    replaced = with_update(added, update("replaceRules", rules=[{"toolName": "Read"}], behavior="allow"))
    assert [rule.text for rule in replaced.allow] == ["Read"]
    removed = with_update(replaced, update("removeRules", rules=[{"toolName": "Read"}], behavior="allow"))
    assert removed.allow == ()
    moded = with_update(removed, update("setMode", mode="bypassPermissions"))
    assert decide(moded, request("Bash", command="make")).rule == "defaultMode:bypassPermissions"
    assert decide(moded, request("Bash", command="rm x")).verdict is Verdict.DENY
    wider = with_update(removed, update("addDirectories", directories=["/srv/x"]))
    look = request("Read", paths=["/srv/x/a"], read_only=True, file_path="/srv/x/a")
    assert decide(wider, look).rule == "baseline:read"
    assert decide(with_update(wider, update("removeDirectories", directories=["/srv/x"])), look).is_fallback


@pytest.mark.parametrize(
    "update",
    [
        {},
        {"type": "addRules"},
        {"type": "setMode", "mode": "auto", "destination": "session"},
        {"type": "addRules", "rules": [{"toolName": "lower"}], "behavior": "allow", "destination": "session"},
        {"type": "addRules", "rules": [], "behavior": "allow", "destination": "elsewhere"},
    ],
)
def test_what_is_no_update_is_refused(update: dict[str, object]):
    with pytest.raises(ValueError, match=r"."):
        read_update(update)


@requirement("SD-15")
def test_managed_rules_cannot_be_taken_away_and_can_stand_alone():
    managed = PermissionSettings(
        deny=["Bash(curl:*)"], allow_managed_permission_rules_only=True, disable_bypass_permissions_mode="disable"
    )
    own = PermissionSettings(allow=["Bash"], default_mode="bypassPermissions", deny=["Bash(curl:*)"])
    rule_set, _ = compile_rules(own, managed=managed)
    value = {"toolName": "Bash", "ruleContent": "curl:*"}
    change = {"type": "removeRules", "rules": [value], "behavior": "deny", "destination": "userSettings"}
    for each in (rule_set, with_update(rule_set, change)):
        assert decide(each, request("Bash", command="curl x"), Posture.YOLO).verdict is Verdict.DENY
        assert decide(each, request("Bash", command="ls"), Posture.YOLO).rule == "fallback"


@requirement("RX-11")
def test_what_only_a_person_answers_is_refused_when_nobody_is_there():
    steering = request("Write", paths=["/ws/.claude/x"], file_path=".claude/x")
    escape = request("Bash", command="ls", dangerouslyDisableSandbox=True)
    allowed = rules(allow=["Edit", "Bash"], default_mode="bypassPermissions")
    for asked, rule in [(steering, "baseline:steering"), (escape, "sandbox:escape")]:
        attended = decide(allowed, asked, Posture.YOLO)
        assert (attended.verdict, attended.rule, attended.is_fallback) == (Verdict.ASK, rule, False)
        alone = decide(allowed, asked, Posture.YOLO, unattended=True)
        assert (alone.verdict, alone.rule) == (Verdict.DENY, rule)


@requirement("SD-19", "RX-11")
def test_while_planning_only_trusted_mcp_tools_run():
    planning = Stage(phase="planning")
    search, other = request("mcp__docs__search", read_only=True), request("mcp__docs__other", read_only=True)
    trusted = {"trusted_read_only": {"mcp__docs__search"}, "stage": planning}
    assert decide(RuleSet(), search, **trusted).rule == "baseline:read"
    assert decide(RuleSet(), other, Posture.YOLO, **trusted).rule == "phase:planning"
    assert decide(rules(allow=["mcp__docs"]), other, **trusted).rule == "allow: mcp__docs"
    # Elsewhere a server's own word that a tool only reads counts for nothing.
    assert decide(RuleSet(), other).is_fallback


def test_the_stage_can_change_while_the_thread_runs():
    policy = RulesPolicy(Posture.ASK, GROUNDS, stage=Stage(phase="planning"))
    asked = request("Write", paths=["/ws/a"], file_path="a")
    assert policy.decide(asked).rule == "phase:planning"
    policy.stage = Stage(phase="implement", approved_plan=True, plan_window=True)
    assert policy.decide(asked).rule == "posture:approved-plan"
    policy.stage = Stage(phase="implement", approved_plan=True)
    assert policy.decide(asked).rule == "fallback"


@pytest.mark.parametrize(
    ("rule", "tool", "arguments", "expected"),
    [
        ("Bash(git *)", "Bash", {"command": "git push"}, True),
        ("Bash(git *)", "Bash", {"command": "ls && git push"}, True),
        ("Bash(git *)", "Bash", {"command": "ls"}, False),
        ("Bash(git *)", "Bash", {"command": "$X"}, True),
        ("Edit(*.ts)", "Write", {"file_path": "src/a.ts"}, True),
        ("Edit(*.ts)", "Write", {"file_path": "/ws/src/a.js"}, False),
        ("Edit(*.ts)", "Write", {"file_path": 5}, False),
        ("mcp__s", "mcp__s__t", {}, True),
        ("Bash(", "Bash", {"command": "ls"}, False),
    ],
)
def test_a_hook_can_be_tied_to_a_rule(rule: str, tool: str, arguments: dict[str, object], expected: bool):
    assert rule_matches(rule, tool, arguments, "/ws", "/home/u") is expected


def test_a_pattern_of_many_stars_takes_no_time():
    stars = "/".join(["**", "*a" * 40] * 10)
    rule_set, invalid = compile_rules(PermissionSettings(deny=[f"Edit({stars}b)", "Bash(" + "*a" * 200 + "b)"]))
    assert not invalid
    assert decide(rule_set, request("Edit", paths=["/ws/" + "a" * 3000], file_path="a" * 3000)).rule == "fallback"
    assert decide(rule_set, request("Bash", command="a" * 10_000)).rule == "fallback"
