"""How is a review asked for? As a turn with a prompt of its own, between two items that say so."""

import time
from typing import Any

from daedal.protocol.catalogue import say
from daedal.protocol.events import ItemCompleted, ItemStarted
from daedal.protocol.ids import new_id
from daedal.protocol.items import ReviewEntered, UserInput
from daedal.protocol.service import Engine
from daedal.protocol.steering import ReviewStartParams, ReviewStartResponse
from daedal.protocol.turns import TurnStartParams
from daedal.server.dialect import Untranslatable
from daedal.server.roles import Board

TASK = """Review {what}. Change nothing. Look at the whole change first, then at what surrounds it.
Report what is wrong, the worst first: for each finding the file and line, what happens because of it, and what to do.
Say so plainly if you find nothing. Do not praise, and do not repeat the change."""


async def start_review(engine: Engine, board: Board, params: ReviewStartParams) -> ReviewStartResponse:
    if params.delivery not in (None, "inline"):
        raise Untranslatable(say("server.detached_review"))
    what, task = review_of(params.target)
    started = await engine.start_turn(
        TurnStartParams(thread_id=params.thread_id, input=[UserInput(task, is_literal=True)])
    )
    item = ReviewEntered(id=new_id(), review=what)
    at: dict[str, Any] = {"thread_id": params.thread_id, "turn_id": started.turn.id, "item": item}
    now = int(time.time() * 1000)
    board.expect_review(started.turn.id)
    await board.emit(params.thread_id, ItemStarted(**at, started_at_ms=now))
    await board.emit(params.thread_id, ItemCompleted(**at, completed_at_ms=now))
    return ReviewStartResponse(turn=started.turn, review_thread_id=params.thread_id)


def review_of(target: dict[str, Any]) -> tuple[str, str]:
    """What is reviewed, in a few words, and the prompt."""
    match target:
        case {"type": "uncommittedChanges"}:
            what = "the changes that are not committed yet: staged, unstaged and new files"
        case {"type": "baseBranch", "branch": str(branch)}:
            what = f"what the current branch changes against {branch}"
        case {"type": "commit", "sha": str(sha)}:
            title = target.get("title")
            what = f"the commit {sha}" + (f" ({title})" if isinstance(title, str) else "")
        case {"type": "custom", "instructions": str(instructions)}:
            return instructions[:200], instructions
        case _:
            raise Untranslatable(say("server.bad_target", why=target.get("type")))
    return what, TASK.format(what=what)
