"""What does the thread work at by itself, turn after turn? Set, shown, stopped, taken up again, forgotten."""

from daedal.protocol.catalogue import say
from daedal.protocol.goal_calls import GoalClearParams, GoalGetParams, GoalOrigin, GoalSetParams
from daedal.protocol.goals import GoalStatus, GoalStrategy, ThreadGoal
from daedal.tui.blocks.calls import duration
from daedal.tui.blocks.notices import short
from daedal.tui.commands.cost import dollars
from daedal.tui.face import Face
from daedal.tui.live.menu import Offer
from daedal.tui.panel import pairs
from daedal.tui.view import Notice

FLAGS = {"--research": GoalStrategy.RESEARCH, "--simple": GoalStrategy.SIMPLE}
WORDS = ("pause", "resume", "check", "clear")


async def run(face: Face, arguments: str) -> None:
    match arguments.strip():
        case "":
            await _show(face)
        case "clear":
            answer = await face.call("thread/goal/clear", GoalClearParams(thread_id=face.view.thread_id))
            face.view.goal = None
            face.tell(Notice(say("tui.goal.cleared" if answer.cleared else "tui.goal.none")))
        case "pause":
            await _put(face, GoalSetParams(thread_id=face.view.thread_id, status=GoalStatus.PAUSED))
        case "resume":
            await _put(face, GoalSetParams(thread_id=face.view.thread_id, status=GoalStatus.ACTIVE))
        case "check":
            await _check(face)
        case told:
            await _begin(face, told)


async def complete(face: Face, arguments: str) -> list[Offer]:
    del face, arguments
    return [Offer(word, say(f"tui.goal.about_{word.lstrip('-')}")) for word in (*WORDS, *FLAGS)]


async def _begin(face: Face, told: str) -> None:
    flag, _, rest = told.partition(" ")
    objective = rest.strip() if flag in FLAGS else told
    if not objective:
        face.tell(Notice(say("tui.goal.which"), "warn"))
        return
    params = GoalSetParams(
        thread_id=face.view.thread_id, objective=objective, strategy=FLAGS.get(flag), origin=GoalOrigin.USER
    )
    await _put(face, params)


async def _put(face: Face, params: GoalSetParams) -> None:
    """What became of it is told by the event."""
    await face.call("thread/goal/set", params)


async def _check(face: Face) -> None:
    check = (await face.call("thread/goal/check", GoalGetParams(thread_id=face.view.thread_id))).check
    key = "tui.goal.passed" if check.passed else "tui.goal.declined" if check.declined else "tui.goal.not_passed"
    face.tell(Notice(say(key, command=check.command), "good" if check.passed else "warn"))


async def _show(face: Face) -> None:
    goal: ThreadGoal | None = (await face.call("thread/goal/get", GoalGetParams(thread_id=face.view.thread_id))).goal
    face.view.goal = goal
    if goal is None:
        face.tell(Notice(say("tui.goal.none")))
        return
    spent = [
        say("tui.goal.turns", done=goal.continuations, limit=goal.limit),
        duration(goal.time_used_seconds),
        say("tui.tokens", count=short(goal.tokens_used)),
        dollars(goal.cost_usd),
    ]
    told = [
        (say("tui.goal.objective"), goal.objective),
        (say("tui.goal.status"), f"{goal.status} · {goal.strategy}"),
        (say("tui.goal.spent"), " · ".join(spent)),
    ]
    if goal.check:
        told.append((say("tui.goal.check"), goal.check))
    if goal.last_check is not None:
        outcome = "tui.goal.check_passed" if goal.last_check.passed else "tui.goal.check_failed"
        told.append((say("tui.goal.last_check"), say(outcome, output=goal.last_check.output)))
    if goal.reason:
        told.append((say("tui.goal.reason"), goal.reason))
    if goal.blocked is not None:
        told.append((say("tui.goal.blocked"), f"{goal.blocked.reason} ({goal.blocked.count}×)"))
    face.tell(pairs(say("tui.goal.title"), told))
