"""Is what a client knows of its threads what was told, whatever the order, however often, and within bounds?"""

from typing import Any

import msgspec
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from daedal.client import Gathering, TurnSummary, line_of, read_line
from daedal.client.clipping import OUTPUT_MAX
from daedal.client.diff_stat import DiffStat, stat_of
from daedal.client.gathered_items import CHARACTERS_MAX
from daedal.client.gathered_thread import TURNS_MAX, TURNS_WHOLE_MAX
from daedal.client.gathering import THREADS_MAX
from daedal.protocol.items import CommandExecution, ItemStatus, ToolCall
from daedal.protocol.records import TurnStatus
from daedal.protocol.turns import ErrorKind
from daedal.protocol.wire import Notification, Request, Response
from daedal.server.channels import Channel
from tests.client.streams import Story, Told, stories, woven
from tests.toolbox.requirement import requirement


def tell(gathering: Gathering, method: str, sequence: int | None = None, **params: Any) -> None:
    params = {"threadId": "T", **params}
    gathering.heard(Notification(method=method, params=params, emitted_at_ms=0, sequence=sequence))


def begin(gathering: Gathering, turn: str = "U", thread: str = "T") -> None:
    tell(gathering, "turn/started", threadId=thread, turn={"id": turn, "status": "inProgress"})


def end(gathering: Gathering, turn: str = "U", status: str = "completed", **more: Any) -> None:
    tell(gathering, "turn/completed", turn={"id": turn, "status": status, **more})


def done(gathering: Gathering, item: dict[str, Any], turn: str = "U") -> None:
    tell(gathering, "item/completed", turnId=turn, item=item, completedAtMs=0)


def command(name: str, **more: Any) -> dict[str, Any]:
    return {"type": "commandExecution", "id": name, "command": name, "cwd": "/", "status": "completed", **more}


def summary(gathering: Gathering, turn: str | None = None) -> TurnSummary:
    told = gathering.summary("T", turn)
    assert told is not None
    return told


def check(gathering: Gathering, story: Story) -> None:
    thread = gathering.thread(story.thread_id)
    if thread is None:
        assert story.events == []
        return
    assert [turn.id for turn in thread.turns] == [told.id for told in story.turns][-TURNS_MAX:]
    assert thread.is_running == bool(story.turns and story.turns[-1].status is TurnStatus.IN_PROGRESS)
    for turn, told in zip(thread.turns, story.turns[-TURNS_MAX:], strict=True):
        check_summary(turn.summary(), told)
        if not turn.is_folded:
            assert turn.items == told.items()
            assert turn.diff == told.diff
    assert [turn.is_folded for turn in thread.turns[-TURNS_WHOLE_MAX:]].count(True) == 0


def check_summary(summary: TurnSummary, told: Told) -> None:
    commands = [part.item for part in told.parts.values() if isinstance(part.item, CommandExecution)]
    assert (summary.status, summary.error, summary.plan) == (told.status, told.error, told.plan)
    assert [(run.command, run.status, run.exit_code) for run in summary.commands] == [
        (item.command, item.status, item.exit_code) for item in commands
    ]
    assert (summary.tool_calls, summary.compactions) == (told.calls, told.compactions)
    assert (summary.usage.output_tokens, summary.cost_usd or 0.0) == (told.tokens, told.tokens / 8)
    assert len(summary.troubles) == min(told.troubles, 20)
    assert summary.diff == stat_of(told.diff)
    if told.message:
        assert summary.message == told.message


@requirement("FA-02")
@settings(max_examples=40)
@given(st.data())
def test_whatever_is_heard_twice_or_late_what_is_known_is_what_was_told(data: st.DataObject):
    told = data.draw(stories())
    heard = data.draw(woven(told))
    typed, plain = Gathering(), Gathering()
    for notification in heard:
        typed.heard(notification)
        plain.heard(read_line(line_of(notification)))
    for story in told:
        check(typed, story)
        check(plain, story)


@requirement("FA-02")
@settings(max_examples=40)
@given(st.data())
def test_a_client_that_lost_its_connection_knows_the_same_afterwards(data: st.DataObject):
    """The server sends again all but deltas, and what still grows with its text so far."""
    story = data.draw(stories())[0]
    lost, back = sorted(data.draw(st.tuples(*[st.integers(0, len(story.events))] * 2)))
    channel, gathering = Channel(story.thread_id), Gathering()
    for at, event in enumerate(story.events):
        if at == back:
            gathering.reconnected()
            missed = channel.since(min(lost, back))
            assume(missed is not None)
            for notification in missed or []:
                gathering.heard(notification)
        notification = channel.number(event)
        channel.note(event, notification)
        if not lost <= at < back:
            gathering.heard(notification)
    assume(back < len(story.events) or lost == back)
    thread = gathering.thread(story.thread_id)
    for turn, told in zip(thread.turns if thread else [], story.turns[-TURNS_MAX:], strict=True):
        check_summary(turn.summary(), told)
        is_running = told.status is TurnStatus.IN_PROGRESS
        healed = {name for name, part in told.parts.items() if part.is_done or is_running}
        if not turn.is_folded:
            assert {name: turn.items[name] for name in healed} == {name: told.items()[name] for name in healed}


@requirement("FA-02")
@pytest.mark.parametrize("method", ["thread/status/changed", "error", "item/completed", "thread/tokenUsage/updated"])
def test_nothing_but_its_completion_ends_a_turn(method: str):
    gathering = Gathering()
    begin(gathering)
    error = {"message": "gone", "codexErrorInfo": "other"}
    tell(gathering, method, turnId="U", status={"type": "idle"}, error=error, willRetry=False)
    thread = gathering.thread("T")
    assert thread is not None
    assert thread.is_running
    assert summary(gathering).status is TurnStatus.IN_PROGRESS
    end(gathering, status="failed", error=error)
    assert not thread.is_running
    assert summary(gathering).error is not None


def test_what_is_said_twice_without_a_number_counts_once():
    gathering = Gathering()
    begin(gathering)
    begin(gathering)
    for _ in range(2):
        done(gathering, command("c", exitCode=1))
        tell(gathering, "item/started", turnId="U", item=command("c", status="inProgress"), startedAtMs=0)
        tell(gathering, "item/commandExecution/outputDelta", turnId="U", itemId="c", delta="late")
    told = summary(gathering)
    assert (told.tool_calls, [(run.status, run.exit_code) for run in told.commands]) == (1, [(ItemStatus.COMPLETED, 1)])


def test_all_that_grows_is_heard_by_a_client_that_comes_back_under_one_number():
    gathering = Gathering()
    tell(gathering, "turn/started", 1, turn={"id": "U", "status": "inProgress"})
    for text in ("a", "b"):
        item = {"type": "agentMessage", "id": text, "text": text * 3}
        tell(gathering, "item/started", 7, turnId="U", item=item, startedAtMs=0)
    tell(gathering, "item/agentMessage/delta", 7, turnId="U", itemId="a", delta="heard before")
    tell(gathering, "item/agentMessage/delta", 8, turnId="U", itemId="a", delta="!")
    thread = gathering.thread("T")
    assert thread is not None
    assert thread.latest is not None
    assert [getattr(item, "text", "") for item in thread.latest.items.values()] == ["aaa!", "bbb"]


def test_a_turn_that_is_gone_on_with_runs_again():
    gathering = Gathering()
    begin(gathering)
    done(gathering, command("one", exitCode=0))
    end(gathering, status="interrupted")
    begin(gathering)
    assert summary(gathering).status is TurnStatus.IN_PROGRESS
    done(gathering, command("two", exitCode=0))
    end(gathering)
    assert [run.command for run in summary(gathering).commands] == ["one", "two"]


def test_what_is_late_for_an_old_turn_does_not_change_the_new_one():
    gathering = Gathering()
    begin(gathering, "one")
    tell(gathering, "item/started", turnId="one", item=command("slow", status="inProgress"), startedAtMs=0)
    end(gathering, "one")
    begin(gathering, "two")
    tell(gathering, "item/commandExecution/outputDelta", turnId="one", itemId="slow", delta="late")
    done(gathering, command("slow", status="failed", exitCode=1), "one")
    tell(gathering, "turn/diff/updated", turnId="one", diff="diff --git a/f b/f\n@@ -1 +1 @@\n-a\n+b\n")
    assert [run.exit_code for run in summary(gathering, "one").commands] == [1]
    assert (summary(gathering, "one").diff, summary(gathering).diff) == (
        DiffStat(files=1, added=1, removed=1),
        DiffStat(),
    )
    assert summary(gathering).commands == []
    thread = gathering.thread("T")
    assert thread is not None
    assert (thread.latest is not None and thread.latest.id, thread.is_running) == ("two", True)


def test_the_turn_of_an_event_that_was_forgotten_is_not_taken_for_the_last_one():
    gathering = Gathering()
    for number in range(TURNS_MAX + 5):
        begin(gathering, f"U{number}")
        end(gathering, f"U{number}")
    done(gathering, command("late"), "U0")
    end(gathering, "U1", status="failed")
    thread = gathering.thread("T")
    assert thread is not None
    assert [turn.id for turn in thread.turns] == [f"U{number}" for number in range(5, TURNS_MAX + 5)]
    assert summary(gathering).turn_id == f"U{TURNS_MAX + 4}"


def test_a_long_turn_keeps_within_its_bound_and_is_summed_up_all_the_same():
    gathering = Gathering()
    begin(gathering)
    for number in range(150):
        output = "x" * (2 * OUTPUT_MAX)
        done(gathering, command(f"c{number}", exitCode=number, aggregatedOutput=output))
    thread = gathering.thread("T")
    assert thread is not None
    assert thread.latest is not None
    kept = thread.latest.items
    assert sum(len(repr(item)) for item in kept.values()) <= CHARACTERS_MAX
    told = summary(gathering)
    assert (len(kept) + told.items_dropped, told.tool_calls, len(told.commands)) == (150, 150, 150)
    assert list(kept)[-1] == "c149"


def test_words_without_end_and_a_flood_of_output_are_cut():
    gathering = Gathering()
    begin(gathering)
    tell(gathering, "item/started", turnId="U", item=command("c", status="inProgress"), startedAtMs=0)
    for _ in range(2_000):
        tell(gathering, "item/commandExecution/outputDelta", turnId="U", itemId="c", delta="y" * 100)
    tell(gathering, "item/commandExecution/outputDelta", turnId="U", itemId="c", delta="end")
    thread = gathering.thread("T")
    assert thread is not None
    assert thread.latest is not None
    item = thread.latest.items["c"]
    assert isinstance(item, CommandExecution)
    assert (len(item.aggregated_output or ""), (item.aggregated_output or "")[-4:]) == (OUTPUT_MAX, "yend")


def test_threads_of_which_nothing_is_heard_any_more_are_forgotten():
    gathering = Gathering()
    begin(gathering, thread="first")
    tell(gathering, "warning", threadId="second", message="hm")
    for number in range(THREADS_MAX):
        tell(gathering, "warning", threadId=str(number), message="hm")
    assert gathering.thread("first") is not None, "a turn runs in it"
    assert gathering.thread("second") is None
    assert len(gathering.threads) == THREADS_MAX


def test_what_only_codex_has_is_read_as_what_it_would_be_here():
    gathering = Gathering()
    begin(gathering)
    mcp = {"type": "mcpToolCall", "id": "m", "server": "s", "tool": "t", "arguments": {"a": 1}, "status": "failed"}
    done(gathering, {**mcp, "error": {"message": "no"}, "result": {"content": [{"type": "text", "text": "said"}]}})
    tell(gathering, "item/started", turnId="U", item={"type": "plan", "id": "p", "text": ""}, startedAtMs=0)
    tell(gathering, "item/plan/delta", turnId="U", itemId="p", delta="1. look")
    tell(gathering, "item/reasoning/summaryTextDelta", turnId="U", itemId="r", delta="hm", summaryIndex=1)
    done(gathering, {"type": "webSearch", "id": "w", "query": "q"})
    done(gathering, {"type": "somethingNew", "id": "n", "more": [1]})
    tell(gathering, "thread/compacted", turnId="U")
    thread = gathering.thread("T")
    assert thread is not None
    assert thread.latest is not None
    items = thread.latest.items
    assert items["m"] == ToolCall(
        id="m",
        tool="mcp__s__t",
        arguments={"a": 1},
        status=ItemStatus.FAILED,
        content_items=[{"type": "inputText", "text": "said"}],
        success=False,
        reason="no",
    )
    plan, new = items["p"], items["n"]
    assert isinstance(plan, ToolCall)
    assert isinstance(new, ToolCall)
    assert (plan.tool, plan.arguments, plan.status) == ("ExitPlanMode", {"plan": "1. look"}, ItemStatus.IN_PROGRESS)
    assert (new.tool, new.arguments, new.status) == ("somethingNew", {"more": [1]}, ItemStatus.COMPLETED)
    assert getattr(items["r"], "summary", None) == ["", "hm"]
    assert (summary(gathering).tool_calls, summary(gathering).compactions) == (3, 1)


def test_codexs_reasons_are_read_as_our_kinds():
    gathering = Gathering()
    begin(gathering)
    lost = {"message": "again", "codexErrorInfo": {"responseStreamDisconnected": {"httpStatusCode": None}}}
    tell(gathering, "error", turnId="U", willRetry=True, error=lost)
    end(gathering, status="failed", error={"message": "no", "codexErrorInfo": "usageLimitExceeded"})
    told = summary(gathering)
    assert [(one.kind, one.will_retry) for one in told.troubles] == [(ErrorKind.NETWORK, True)]
    assert told.error is not None
    assert (told.error.kind, told.error.codex_error_info) == (ErrorKind.RATE_LIMIT, "usageLimitExceeded")


KEYS = ["threadId", "turnId", "turn", "item", "id", "type", "error", "tokenUsage", "thread", "status", "delta"]
METHODS = [
    "turn/started",
    "turn/completed",
    "item/started",
    "item/completed",
    "item/plan/delta",
    "error",
    "thread/started",
    "thread/compacted",
    "thread/settings/updated",
    "thread/tokenUsage/updated",
]
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(KEYS), inner),
    max_leaves=12,
)


@given(ANYTHING, st.sampled_from(METHODS))
def test_whatever_a_server_says_breaks_nothing(params: Any, method: str):
    gathering = Gathering()
    gathering.said(Request(id=1, method="thread/resume", params={}))
    gathering.heard(Response(id=1, result=params))
    gathering.heard(Notification(method=method, params=params, emitted_at_ms=0))
    gathering.heard(Request(id=1, method="item/tool/requestUserInput", params=params))
    gathering.said(Response(id=1, result=params))
    for thread in gathering.threads:
        for turn in thread.turns:
            msgspec.json.encode(turn.summary())


def test_answers_of_this_client_and_of_others_are_told_apart():
    gathering = Gathering()
    begin(gathering)
    for number in (1, 2, 3):
        params = {"threadId": "T", "turnId": "U", "itemId": f"i{number}"}
        gathering.heard(Request(id=number, method="item/commandExecution/requestApproval", params=params))
    gathering.said(Response(id=1, result={"decision": {"acceptWithExecpolicyAmendment": {}}}))
    for number in (1, 2):
        tell(gathering, "serverRequest/resolved", requestId=number)
    thread = gathering.thread("T")
    assert thread is not None
    assert [asked.item_id for asked in thread.pending] == ["i3"]
    assert [asked.answer for asked in summary(gathering).approvals] == [
        "acceptWithExecpolicyAmendment",
        "resolved",
        None,
    ]
    end(gathering, status="interrupted")
    assert thread.pending == []


def test_settings_goal_and_name_are_those_told_last():
    gathering = Gathering()
    gathering.said(Request(id=1, method="thread/start", params={}))
    thread = {"id": "T", "preview": "", "modelProvider": "p", "cwd": "/w", "createdAt": 1, "updatedAt": 1}
    opened = {"model": "m", "modelProvider": "p", "cwd": "/w", "approvalPolicy": "never", "reasoningEffort": "high"}
    status = {"type": "idle"}
    sandbox = {"type": "readOnly"}
    gathering.heard(Response(id=1, result={"thread": {**thread, "status": status}, **opened, "sandbox": sandbox}))
    known = gathering.thread("T")
    assert known is not None
    assert known.settings is not None
    assert (known.settings.model, known.settings.effort, known.settings.sandbox) == ("m", "high", "readOnly")
    now = {"model": "n", "modelProvider": "p", "cwd": "/w", "approvalPolicy": "never", "sandboxPolicy": sandbox}
    tell(gathering, "thread/settings/updated", threadSettings=now)
    goal = {"threadId": "T", "objective": "o", "status": "active", "createdAt": 1, "updatedAt": 1}
    tell(gathering, "thread/goal/updated", goal=goal)
    tell(gathering, "thread/name/updated", threadName="called")
    assert (known.settings.model, known.settings.effort, known.name) == ("n", None, "called")
    assert known.goal is not None
    assert known.goal.objective == "o"
    tell(gathering, "thread/goal/cleared")
    assert known.goal is None


def test_a_server_that_starts_to_count_anew_is_followed():
    gathering = Gathering()
    begin(gathering)

    def use(total: int, last: int, turn: str) -> None:
        counts = [{"totalTokens": number, "outputTokens": number} for number in (total, last)]
        tell(gathering, "thread/tokenUsage/updated", turnId=turn, tokenUsage={"total": counts[0], "last": counts[1]})

    use(100, 10, "U")
    use(130, 30, "U")
    use(130, 30, "U")
    assert (summary(gathering).usage.output_tokens, summary(gathering).model_calls) == (40, 2)
    use(5, 5, "U")
    assert summary(gathering).usage.output_tokens == 45
    end(gathering)
    begin(gathering, "V")
    use(12, 7, "V")
    assert (summary(gathering).usage.output_tokens, summary(gathering, "U").usage.output_tokens) == (7, 45)
