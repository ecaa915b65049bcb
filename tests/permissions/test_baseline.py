"""What is decided without any rule, posture by posture?"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daedal.permissions import Grounds, RulesPolicy
from daedal.protocol.verdict import Posture, ToolRequest, Verdict

GROUNDS = Grounds(
    workspace="/ws",
    readable=["/tmp"],
    secret=["/home/u/.daedal/.env", "/home/u/.daedal/daedal.db"],
    unwritable=["/home/u/.daedal"],
)


def decide(posture: Posture, *paths: str, read_only: bool = False) -> tuple[Verdict, str]:
    request = ToolRequest(
        tool_use_id="t", tool="T", input={}, read_only=read_only, paths=list(paths), cwd="/ws", principal="person:ada"
    )
    decision = RulesPolicy(posture, GROUNDS).decide(request)
    return decision.verdict, decision.rule


@pytest.mark.parametrize(
    ("posture", "paths", "read_only", "expected"),
    [
        (Posture.ASK, ["/ws/a"], True, (Verdict.ALLOW, "baseline:read")),
        (Posture.NEVER, ["/tmp/a"], True, (Verdict.ALLOW, "baseline:read")),
        (Posture.ASK, ["/ws2/a"], True, (Verdict.ASK, "fallback")),
        (Posture.NEVER, ["/etc/passwd"], True, (Verdict.DENY, "posture:never")),
        (Posture.YOLO, ["/etc/passwd"], True, (Verdict.ALLOW, "posture:yolo")),
        (Posture.ASK, [], False, (Verdict.ASK, "fallback")),
        (Posture.AUTO, ["/ws/a"], False, (Verdict.ALLOW, "posture:auto")),
        (Posture.AUTO, ["/ws/daedal.toml"], False, (Verdict.ASK, "baseline:steering")),
        (Posture.YOLO, ["/ws/a"], False, (Verdict.ALLOW, "posture:yolo")),
        (Posture.YOLO, ["/ws/.git/hooks/x"], False, (Verdict.ASK, "baseline:steering")),
        (Posture.YOLO, ["/ws/.github/x"], False, (Verdict.ALLOW, "posture:yolo")),
        (Posture.YOLO, ["/elsewhere/.git/config"], False, (Verdict.ASK, "baseline:steering")),
        (Posture.YOLO, ["/ws/my.claude"], False, (Verdict.ALLOW, "posture:yolo")),
        (Posture.NEVER, ["/ws/daedal.toml"], False, (Verdict.DENY, "posture:never")),
        (Posture.YOLO, ["/home/u/.daedal/skills/x"], True, (Verdict.ALLOW, "posture:yolo")),
        (Posture.YOLO, ["/home/u/.daedal/skills/x"], False, (Verdict.DENY, "baseline:home")),
    ],
)
def test_the_order_is_the_reasoning(posture: Posture, paths: list[str], read_only: bool, expected: tuple[Verdict, str]):
    assert decide(posture, *paths, read_only=read_only) == expected


@given(st.sampled_from(list(Posture)), st.booleans(), st.lists(st.sampled_from(["/ws/a", "/tmp/b", "/x"])))
def test_no_posture_and_no_company_opens_a_secret(posture: Posture, read_only: bool, others: list[str]):
    assert decide(posture, *others, "/home/u/.daedal/.env", read_only=read_only)[0] is Verdict.DENY


@given(st.sampled_from([Posture.ASK, Posture.NEVER]), st.lists(st.sampled_from(["/ws/a", "/tmp/b"])))
def test_where_no_posture_answers_nothing_that_writes_is_simply_allowed(posture: Posture, paths: list[str]):
    assert decide(posture, *paths)[0] is not Verdict.ALLOW
