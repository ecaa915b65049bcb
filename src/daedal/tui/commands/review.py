"""How is a change reviewed? What is not committed, a branch against another, one commit, or what the person says."""

from typing import Any

from daedal.protocol.catalogue import say
from daedal.protocol.repository import RepositoryParams, RepositoryReadResponse
from daedal.protocol.steering import ReviewStartParams
from daedal.tui.face import Face
from daedal.tui.live.menu import Offer
from daedal.tui.overlays.asking import Asking
from daedal.tui.overlays.choosing import Choosing, Option
from daedal.tui.overlays.searching import Found, Searching
from daedal.tui.view import Notice

UNCOMMITTED, BRANCH, COMMIT, CUSTOM = "uncommitted", "branch", "commit", "custom"


async def run(face: Face, arguments: str) -> None:
    target = await _target(face, arguments.strip())
    if target is not None:
        started = await face.call("review/start", ReviewStartParams(thread_id=face.view.thread_id, target=target))
        if started.review_thread_id == face.view.thread_id:
            face.view.begin(started.turn.id)


async def _target(face: Face, wanted: str) -> dict[str, Any] | None:
    kind, _, rest = wanted.partition(" ")
    if not wanted:
        options = [
            Option(say("tui.review.uncommitted"), UNCOMMITTED, letter="u"),
            Option(say("tui.review.branch"), BRANCH, letter="b"),
            Option(say("tui.review.commit"), COMMIT, letter="c"),
            Option(say("tui.review.custom"), CUSTOM, letter="w"),
        ]
        kind = await face.show(Choosing(say("tui.review.question"), options))
    match kind:
        case None:
            return None
        case "uncommitted":
            return {"type": "uncommittedChanges"}
        case "branch":
            branch = rest.strip() or await _branch(face)
            return {"type": "baseBranch", "branch": branch} if branch else None
        case "commit":
            return {"type": "commit", "sha": rest.strip()} if rest.strip() else await _commit(face)
        case _:
            words = wanted or await face.show(Asking(say("tui.review.words")))
            return {"type": "custom", "instructions": words} if words else None


async def _repository(face: Face) -> RepositoryReadResponse:
    return await face.call("repository/read", RepositoryParams(cwd=face.view.folder or None))


async def _branch(face: Face) -> str | None:
    told = await _repository(face)
    found = [Found(label=name, value=name) for name in told.branches if name != told.branch]
    if not found:
        face.tell(Notice(say("tui.review.no_branch"), "warn"))
        return None
    return await face.show(Searching(say("tui.review.which_branch"), found))


async def _commit(face: Face) -> dict[str, Any] | None:
    commits = (await _repository(face)).commits
    if not commits:
        face.tell(Notice(say("tui.review.no_commit"), "warn"))
        return None
    found = [
        Found(label=f"{commit.sha} {commit.title}", value={"type": "commit", "sha": commit.sha, "title": commit.title})
        for commit in commits
    ]
    return await face.show(Searching(say("tui.review.which_commit"), found))


async def complete(face: Face, arguments: str) -> list[Offer]:
    kinds = [
        Offer(UNCOMMITTED, say("tui.review.uncommitted")),
        Offer(f"{BRANCH} ", say("tui.review.branch"), goes_on=True),
        Offer(f"{COMMIT} ", say("tui.review.commit"), goes_on=True),
    ]
    if not arguments.startswith((f"{BRANCH} ", f"{COMMIT} ")):
        return kinds
    told = await _repository(face)
    if arguments.startswith(BRANCH):
        return [Offer(f"{BRANCH} {name}") for name in told.branches if name != told.branch]
    return [Offer(f"{COMMIT} {commit.sha}", commit.title) for commit in told.commits]
