"""What does a chain come to? Whatever the order in which outcomes arrive, and whatever a hook prints."""

import json
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daedal.hooks import merge
from daedal.hooks.merging import asked
from daedal.hooks.outcomes import Ending, HookOutcome, OutcomeKind, judge
from daedal.hooks.points import POINTS
from daedal.permissions import combined
from daedal.protocol.hooks import HookAnswer, HookEvent, RequestAnswer
from daedal.protocol.verdict import Decision, Posture, Verdict
from tests.toolbox.requirement import requirement


def said(event: HookEvent, ordinal: int = 0, **output: Any) -> HookOutcome:
    return judge(event, ordinal, Ending(exit_code=0, stdout=json.dumps(output)), lambda value: value)


def arm(event: HookEvent, ordinal: int = 0, **fields: Any) -> HookOutcome:
    return said(event, ordinal, hookSpecificOutput={"hookEventName": event, **fields})


def exits(event: HookEvent, code: int, ordinal: int = 0, stderr: str = "") -> HookOutcome:
    return judge(event, ordinal, Ending(exit_code=code, stderr=stderr), lambda value: value)


UPDATE = {
    "type": "addRules",
    "rules": [{"toolName": "Bash", "ruleContent": "ls"}, {"toolName": "Read"}],
    "behavior": "allow",
    "destination": "session",
}
E = HookEvent
ARMS = [
    (E.PRE_TOOL_USE, {"permissionDecision": "allow"}, {"permission": Verdict.ALLOW}),
    (
        E.PRE_TOOL_USE,
        {"permissionDecision": "deny", "permissionDecisionReason": "no"},
        {"permission": Verdict.DENY, "is_blocked": True, "message": "no"},
    ),
    (E.PRE_TOOL_USE, {"updatedInput": {"a": 1}}, {"updated_input": {"a": 1}}),
    (E.PRE_TOOL_USE, {"updatedInput": {}}, {"updated_input": {}}),
    (E.PRE_TOOL_USE, {"additionalContext": "c"}, {"additional_context": ["c"]}),
    (E.USER_PROMPT_SUBMIT, {"additionalContext": "c"}, {"additional_context": ["c"]}),
    (
        E.SESSION_START,
        {"additionalContext": "c", "initialUserMessage": "hi", "watchPaths": ["a", "b", "a"]},
        {"additional_context": ["c"], "initial_user_message": "hi", "watch_paths": ["a", "b"]},
    ),
    (E.SETUP, {"additionalContext": "c"}, {"additional_context": ["c"]}),
    (E.SUBAGENT_START, {"additionalContext": "c"}, {"additional_context": ["c"]}),
    (
        E.POST_TOOL_USE,
        {"additionalContext": "c", "updatedMCPToolOutput": [1]},
        {"additional_context": ["c"], "updated_output": [1]},
    ),
    (E.POST_TOOL_USE_FAILURE, {"additionalContext": "c"}, {"additional_context": ["c"]}),
    (E.PERMISSION_DENIED, {"retry": True}, {"retry": True}),
    (E.NOTIFICATION, {"additionalContext": "c"}, {"additional_context": ["c"]}),
    (
        E.PERMISSION_REQUEST,
        {"decision": {"behavior": "allow", "updatedInput": {"a": 1}, "updatedPermissions": [UPDATE]}},
        {
            "updated_input": {"a": 1},
            "request": RequestAnswer(allow=True, updated_input={"a": 1}, updated_permissions=[UPDATE]),
        },
    ),
    (
        E.PERMISSION_REQUEST,
        {"decision": {"behavior": "deny", "message": "no", "interrupt": True}},
        {"is_blocked": True, "message": "no", "request": RequestAnswer(allow=False, message="no", interrupt=True)},
    ),
    (
        E.ELICITATION,
        {"action": "accept", "content": {"a": 1}},
        {"elicitation": {"action": "accept", "content": {"a": 1}}},
    ),
    (E.ELICITATION_RESULT, {"action": "cancel"}, {"elicitation": {"action": "cancel"}}),
    (E.CWD_CHANGED, {"watchPaths": ["a"]}, {"watch_paths": ["a"]}),
    (E.FILE_CHANGED, {"watchPaths": ["a"]}, {"watch_paths": ["a"]}),
    (E.WORKTREE_CREATE, {"worktreePath": "/w"}, {"worktree_path": "/w"}),
]


@requirement("SD-14")
@pytest.mark.parametrize(("event", "fields", "expected"), ARMS)
def test_every_arm_of_the_schema_has_its_effect(event: HookEvent, fields: dict, expected: dict):
    assert merge(event, [arm(event, **fields)]) == HookAnswer(**expected)


@requirement("SD-14")
@pytest.mark.parametrize("event", list(HookEvent))
def test_what_every_event_can_say(event: HookEvent):
    answer = merge(event, [said(event, **{"continue": False, "stopReason": "enough", "systemMessage": "hello"})])
    assert answer == HookAnswer(stop="enough", system_messages=["hello"])
    assert merge(event, [said(event, **{"continue": False})]).stop == ""
    assert merge(event, [said(event, **{"continue": True, "suppressOutput": True})]) == HookAnswer()


@requirement("SD-14")
@pytest.mark.parametrize("event", list(HookEvent))
def test_block_and_approve(event: HookEvent):
    blocked = merge(event, [said(event, decision="block", reason="no")])
    match POINTS[event].objection.name:
        case "BLOCKS":
            assert (blocked.is_blocked, blocked.message) == (True, "no")
        case "ADVISES":
            assert (blocked.is_blocked, blocked.message) == (False, "no")
        case _:
            assert blocked == HookAnswer()
    approved = merge(event, [said(event, decision="approve", reason="fine")])
    assert approved.permission is (Verdict.ALLOW if event is E.PRE_TOOL_USE else None)
    assert approved.is_blocked is False


INVALID = [
    {"hookSpecificOutput": {"hookEventName": "PostToolUse"}},
    {"hookSpecificOutput": {"hookEventName": "Nope"}},
    {"hookSpecificOutput": {"permissionDecision": "deny"}},
    {"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "maybe"}},
    {"hookSpecificOutput": {"hookEventName": "PreToolUse", "updatedInput": "x"}},
    {"hookSpecificOutput": []},
    {"decision": "deny"},
    {"continue": "no"},
    {"reason": 3},
    {"async": True},
    {"async": True, "decision": "block", "reason": "no"},
    {"async": True, "asyncTimeout": 5},
]


@requirement("SD-14", "SD-12")
@pytest.mark.parametrize("output", INVALID)
def test_what_does_not_fit_the_schema_counts_for_nothing(output: dict):
    outcome = said(E.PRE_TOOL_USE, **output)
    assert outcome.kind is OutcomeKind.INVALID
    answer = merge(E.PRE_TOOL_USE, [outcome])
    assert (answer.permission, answer.is_blocked, len(answer.broken)) == (None, False, 1)


@requirement("SD-14")
@pytest.mark.parametrize(
    "update",
    [
        {**UPDATE, "type": "other"},
        {**UPDATE, "behavior": "maybe"},
        {**UPDATE, "destination": "everywhere"},
        {**UPDATE, "rules": ["Bash"]},
        {**UPDATE, "rules": [{"toolName": "Bash("}]},
        {"type": "setMode", "mode": "auto", "destination": "session"},
        {"type": "addDirectories", "directories": "x", "destination": "session"},
    ],
)
def test_a_change_of_rules_that_is_none_makes_the_answer_void(update: dict):
    outcome = arm(E.PERMISSION_REQUEST, decision={"behavior": "allow", "updatedPermissions": [update]})
    assert outcome.kind is OutcomeKind.INVALID
    assert merge(E.PERMISSION_REQUEST, [outcome]).request is None


@requirement("SD-14")
def test_events_without_an_arm_take_none():
    assert arm(E.STOP).kind is OutcomeKind.INVALID
    assert arm(E.PRE_COMPACT, additionalContext="x").kind is OutcomeKind.INVALID


@requirement("SD-12")
def test_a_refusal_outweighs_a_grant():
    grant = arm(E.PERMISSION_REQUEST, 0, decision={"behavior": "allow"})
    refusal = arm(E.PERMISSION_REQUEST, 1, decision={"behavior": "deny", "message": "no"})
    last = arm(E.PERMISSION_REQUEST, 2, decision={"behavior": "allow"})
    assert merge(E.PERMISSION_REQUEST, [grant, refusal, last]).request == RequestAnswer(allow=False, message="no")


def test_declining_outweighs_accepting():
    outcomes = [arm(E.ELICITATION, 0, action="decline"), arm(E.ELICITATION, 1, action="accept", content={"a": 1})]
    assert merge(E.ELICITATION, outcomes).elicitation == {"action": "decline"}
    assert merge(E.ELICITATION, [exits(E.ELICITATION, 2)]).elicitation == {"action": "decline"}


@requirement("SD-12")
def test_a_prompt_hears_every_objection_and_a_call_only_the_first():
    for event, message in ((E.USER_PROMPT_SUBMIT, "[2] two\n[10] ten"), (E.PRE_TOOL_USE, "[2] two")):
        answer = merge(event, [exits(event, 2, 10, "ten\n"), exits(event, 2, 2, "two\n")])
        assert (answer.is_blocked, answer.message) == (True, message)


@requirement("SD-12")
@pytest.mark.parametrize(
    ("ending", "kind"),
    [
        (Ending(exit_code=1), OutcomeKind.FAILED),
        (Ending(exit_code=137), OutcomeKind.FAILED),
        (Ending(exit_code=0, stdout="{"), OutcomeKind.INVALID),
        (Ending(trouble="no shell"), OutcomeKind.BROKEN),
        (Ending(timed_out=True), OutcomeKind.TIMED_OUT),
    ],
)
def test_a_required_hook_that_breaks_denies_and_is_still_told_apart(ending: Ending, kind: OutcomeKind):
    outcome = judge(E.PRE_TOOL_USE, 3, ending, lambda value: value, required=True)
    answer = merge(E.PRE_TOOL_USE, [outcome])
    assert (outcome.kind, answer.permission, answer.is_blocked) == (kind, Verdict.DENY, True)
    assert answer.message.startswith("[3] ")
    assert len(answer.broken) == 1
    elsewhere = judge(E.POST_TOOL_USE, 3, ending, lambda value: value, required=True)
    assert merge(E.POST_TOOL_USE, [elsewhere]).message == ""


def test_what_a_hook_prints_is_context_where_people_expect_it():
    for event in HookEvent:
        outcome = judge(event, 0, Ending(exit_code=0, stdout="the branch is main\n"), lambda value: value)
        context = merge(event, [outcome]).additional_context
        assert context == (["the branch is main"] if event in (E.SESSION_START, E.USER_PROMPT_SUBMIT) else [])


OUTPUTS = st.sampled_from(
    [
        *(
            {
                "hookSpecificOutput": {
                    "hookEventName": "PreToolUse",
                    "permissionDecision": word,
                    "permissionDecisionReason": word,
                }
            }
            for word in ("allow", "ask", "deny")
        ),
        {"hookSpecificOutput": {"hookEventName": "PreToolUse", "updatedInput": {"a": 1}, "additionalContext": "c"}},
        {"hookSpecificOutput": {"hookEventName": "PreToolUse", "updatedInput": {"b": 2}}},
        {"decision": "block", "reason": "r"},
        {"decision": "approve"},
        {"continue": False, "stopReason": "s"},
        {"systemMessage": "m"},
        {"async": True},
    ]
)
ENDINGS = st.one_of(
    st.builds(lambda said: Ending(exit_code=0, stdout=json.dumps(said)), OUTPUTS),
    st.builds(Ending, exit_code=st.sampled_from([0, 1, 2, 137]), stderr=st.sampled_from(["", "no", "why\n"])),
    st.just(Ending(timed_out=True)),
    st.just(Ending(trouble="gone")),
)
CHAINS = st.lists(st.tuples(ENDINGS, st.booleans()), max_size=6)


def chain(event: HookEvent, endings: list[tuple[Ending, bool]]) -> list[HookOutcome]:
    return [
        judge(event, index, ending, lambda value: value, required=required)
        for index, (ending, required) in enumerate(endings)
    ]


@requirement("SD-12")
@given(st.sampled_from(HookEvent), CHAINS, st.randoms(use_true_random=False))
def test_the_order_of_arrival_changes_nothing(event: HookEvent, endings: list, order: random.Random):
    outcomes = chain(event, endings)
    shuffled = outcomes[:]
    order.shuffle(shuffled)
    assert merge(event, shuffled) == merge(event, outcomes)


@requirement("SD-12")
@given(st.sampled_from(HookEvent), CHAINS)
def test_what_was_never_asked_changes_nothing(event: HookEvent, endings: list):
    """The runner merges only those that ran; offline all are given. Both come to the same."""
    outcomes = chain(event, endings)
    reached = list(asked(event, outcomes))
    assert merge(event, reached) == merge(event, outcomes)
    if event is not E.PRE_TOOL_USE:
        assert reached == outcomes


@requirement("SD-12")
@given(CHAINS, st.integers(0, 6))
def test_the_verdict_of_parts_is_the_verdict_of_the_whole(endings: list, cut: int):
    """Grouped any way: the strongest of the parts' verdicts, unless the first part ended the chain."""
    event = E.PRE_TOOL_USE
    outcomes = chain(event, endings)
    first, second = merge(event, outcomes[:cut]), merge(event, outcomes[cut:])
    strength = [None, *Verdict]
    expected = first.permission if first.is_blocked else max(first.permission, second.permission, key=strength.index)
    assert merge(event, outcomes).permission is expected


@requirement("SD-14")
@given(st.sampled_from(HookEvent), st.binary(max_size=200) | st.builds(lambda raw: b"{" + raw, st.binary(max_size=200)))
def test_no_output_is_an_exception(event: HookEvent, raw: bytes):
    outcome = judge(event, 0, Ending(exit_code=0, stdout=raw.decode("utf-8", "replace")), lambda value: value)
    assert isinstance(merge(event, [outcome]), HookAnswer)


A, K, D = Verdict.ALLOW, Verdict.ASK, Verdict.DENY


@requirement("SD-12")
@pytest.mark.parametrize(
    ("hooks", "rules", "is_fallback", "expected"),
    [
        (None, A, False, A),
        (None, K, True, K),
        (None, D, False, D),
        (A, D, False, D),
        (A, D, True, D),
        (A, K, True, A),
        (A, K, False, K),
        (A, A, False, A),
        (K, A, False, K),
        (K, K, True, K),
        (K, D, False, D),
        (D, A, False, D),
        (D, K, True, D),
    ],
)
def test_hooks_and_rules_together(hooks: Verdict | None, rules: Verdict, is_fallback: bool, expected: Verdict):
    decision = Decision(verdict=rules, rule="x", reason="", is_fallback=is_fallback)
    assert combined(HookAnswer(permission=hooks), decision, Posture.ASK).verdict is expected
