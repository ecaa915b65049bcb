"""Which rules decide about calls here, and what would they say? Listed with who wrote them, explained, changed."""

from daedal.protocol.catalogue import say
from daedal.protocol.housekeeping import RuleWhyParams, RuleWriteParams
from daedal.protocol.inventory import FolderParams, ListedRule, RuleListResponse
from daedal.tui.face import Face
from daedal.tui.listing import listing
from daedal.tui.live.menu import Offer
from daedal.tui.near_home import near_home
from daedal.tui.overlays.choosing import Choosing, Option
from daedal.tui.terminal.widths import Span
from daedal.tui.view import Notice

LISTS = ("allow", "ask", "deny")
SCOPES = ("session", "user", "project")
STYLES = {"deny": "bad", "ask": "warn", "allow": "good"}


async def run(face: Face, arguments: str) -> None:
    action, _, rest = arguments.strip().partition(" ")
    match action:
        case "":
            await _list(face)
        case "why" if rest.strip():
            await _explain(face, rest.strip())
        case "add" | "remove":
            behavior, _, rule = rest.strip().partition(" ")
            if behavior in LISTS and rule.strip():
                await (_add if action == "add" else _remove)(face, behavior, rule.strip())
            else:
                face.tell(Notice(say("tui.permissions.usage"), "warn"))
        case _:
            face.tell(Notice(say("tui.permissions.usage"), "warn"))


async def complete(face: Face, arguments: str) -> list[Offer]:
    if arguments.startswith("remove "):
        rules = (await _rules(face)).data
        return [Offer(f"remove {row.list} {row.rule}", row.origin) for row in rules]
    adding = [Offer(f"add {behavior} ", say(f"tui.permissions.about_{behavior}"), goes_on=True) for behavior in LISTS]
    why = Offer("why ", say("tui.permissions.about_why"), goes_on=True)
    return [*adding, Offer("remove ", say("tui.permissions.about_remove"), goes_on=True), why]


async def _rules(face: Face) -> RuleListResponse:
    params = FolderParams(cwd=face.view.folder or None, thread_id=face.view.thread_id)
    return await face.call("permission/list", params)


async def _list(face: Face) -> None:
    found = await _rules(face)
    notes = [say("tui.permissions.modes", mode=found.default_mode, posture=face.view.posture)]
    notes += [say("tui.permissions.managed_only")] if found.managed_only else []
    notes += [] if found.data else [say("tui.permissions.none")]
    rows = [[(STYLES.get(row.list, ""), row.list), _rule(row), ("quiet", near_home(row.origin))] for row in found.data]
    title, headings = say("tui.permissions.title"), say("tui.permissions.headings")
    face.tell(listing(title, headings, rows, notes=[*notes, say("tui.permissions.usage")]))


def _rule(row: ListedRule) -> Span:
    return (
        ("", row.rule)
        if row.invalid is None
        else ("bad", say("tui.permissions.marked", rule=row.rule, why=row.invalid))
    )


async def _explain(face: Face, call: str) -> None:
    params = RuleWhyParams(call=call, thread_id=face.view.thread_id, cwd=face.view.folder or None)
    told = await face.call("permission/why", params)
    title = say("tui.permissions.verdict", call=call, decision=told.decision, rule=told.rule)
    rows = [
        [
            ("" if step.decision else "quiet", say(f"tui.permissions.stage_{step.stage}")),
            (STYLES.get(step.decision or "", "quiet"), step.decision or "–"),
            ("", step.rule or ""),
        ]
        for step in told.steps
    ]
    face.tell(listing(title, say("tui.permissions.step_headings"), rows, notes=[told.reason]))


async def _add(face: Face, behavior: str, rule: str) -> None:
    title = say("tui.permissions.scope", list=behavior, rule=rule)
    options = [
        Option(say(f"tui.permissions.scope_{scope}"), scope, say(f"tui.permissions.for_{scope}"), letter=scope[0])
        for scope in SCOPES
    ]
    scope = await face.show(Choosing(title, options))
    if scope is None:
        return
    done = await face.call("permission/write", _params(face, behavior, rule, scope=scope))
    words = {"list": behavior, "rule": done.rule, "file": near_home(done.file or "")}
    if done.file is None:
        face.tell(Notice(say("tui.permissions.granted", list=behavior, rule=done.rule)))
    else:
        face.tell(Notice(say("tui.permissions.added" if done.changed else "tui.permissions.there", **words)))


async def _remove(face: Face, behavior: str, rule: str) -> None:
    """Where it stands; what stands in no file was granted in the session."""
    if not any((row.list, row.rule) == (behavior, rule) for row in (await _rules(face)).data):
        face.tell(Notice(say("tui.permissions.not_there", list=behavior, rule=rule), "warn"))
        return
    for scope in ("user", "project", "session"):
        done = await face.call("permission/write", _params(face, behavior, rule, scope=scope, remove=True))
        if done.changed:
            where = near_home(done.file or "") or say("tui.permissions.scope_session")
            face.tell(Notice(say("tui.permissions.removed", list=behavior, rule=rule, where=where)))
            return


def _params(face: Face, behavior: str, rule: str, *, scope: str, remove: bool = False) -> RuleWriteParams:
    return RuleWriteParams(
        list=behavior,  # type: ignore[arg-type]
        rule=rule,
        scope=scope,  # type: ignore[arg-type]
        remove=remove,
        thread_id=face.view.thread_id,
        cwd=face.view.folder or None,
    )
