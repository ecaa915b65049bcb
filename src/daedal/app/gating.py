"""By which rules and within which walls does a thread work? Its terms, and the settings in force."""

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from daedal.app.apart import apart, with_repository
from daedal.app.grounds import grounds_in, own_home
from daedal.app.scratch import temporary_folder
from daedal.app.startup import Startup
from daedal.config import home, secret_paths, settings_files
from daedal.engine import Terms
from daedal.permissions import (
    AddRules,
    Rule,
    RulesPolicy,
    Stage,
    compile_rules,
    inside,
    parse_rule,
    read_update,
    suggested,
    with_update,
)
from daedal.protocol.approvals import Offers
from daedal.protocol.catalogue import say
from daedal.protocol.confinement import Confinement
from daedal.protocol.errors import UsageError
from daedal.protocol.verdict import Decision, Posture, ToolRequest
from daedal.sandbox import confinement

NOTE = ".daedal-note.md"
READ_ONLY = "read-only"
WRITERS = ("Write", "Edit", "NotebookEdit", "Move")


def walls_of(startup: Startup, terms: Terms) -> Confinement:
    """What file tools and commands of a thread may touch."""
    settings = startup.settings.sandbox
    if terms.off_limits:  # it works apart, and not in the one folder that everybody else works in
        settings = msgspec.structs.replace(settings, workspace_root="")
    wants_walls = terms.is_read_only or terms.wants_walls
    is_off = not terms.is_confined or (os.environ.get("DAEDAL_NO_SANDBOX") == "1" and not wants_walls)
    if is_off or wants_walls:
        settings = msgspec.structs.replace(settings, enabled=not is_off)
    walls = confinement(
        settings,
        workspace=terms.workspace,
        home=os.path.expanduser("~"),
        temp=temporary_folder(),
        unreadable=secret_files(startup),
        unattended=terms.guard is not None,
        read_only=[os.path.realpath(home()), *filter(os.path.isfile, startup.effective.vouched)],
    )
    walls = with_repository(walls)
    if terms.off_limits:
        walls = apart(walls, terms.off_limits)
    if terms.is_read_only:
        return msgspec.structs.replace(walls, writable=[])
    return _looking(walls) if terms.guard == "sync" else walls


def _looking(walls: Confinement) -> Confinement:
    """Walls for somebody who only verifies: of the project the note is written, and what a commit of it needs."""
    repository = os.path.join(walls.workspace, ".git")
    commits = [repository] if os.path.isdir(repository) and not os.path.islink(repository) else []
    beside = [path for path in walls.writable if not inside(path, walls.workspace)]
    return msgspec.structs.replace(
        walls,
        writable=[os.path.join(walls.workspace, NOTE), *commits, *beside],
        read_only=[walls.workspace, *walls.read_only],
    )


def secret_files(startup: Startup) -> list[str]:
    return [*secret_paths(), *startup.ledger.files()]


class ThreadRules:
    """The `Rulebook` seam: the settings' rules, what the thread adds, and what is granted while it runs."""

    def __init__(
        self,
        startup: Startup,
        terms: Terms,
        warn: Callable[[str], None],
        further: Sequence[Rule] = (),
        trusted_read_only: Sequence[str] = (),
    ) -> None:
        """`further` are allow rules that come with the terms; `trusted_read_only` are tools known to change nothing."""
        rules, invalid = compile_rules(
            startup.settings.permissions, managed=startup.managed.permissions if startup.managed else None
        )
        for bad in invalid:
            warn(f"{startup.origin(f'permissions.{bad.behavior}', bad.index)}: {bad}")
        rules = rules.with_listed("allow", (*rules.allow, *flag_rules(terms.allow), *further))
        rules = rules.with_listed("deny", (*rules.deny, *flag_rules(terms.deny)))
        self._usual_mode = rules.default_mode
        if terms.mode is not None:
            rules = msgspec.structs.replace(rules, default_mode=terms.mode)  # type: ignore[arg-type]
        self._policy = RulesPolicy(
            terms.posture,
            grounds_in(terms.workspace, secret_files(startup)),
            rules,
            stage=Stage(phase=terms.phase, approved_plan=terms.has_approved_plan),
            unattended=terms.guard is not None,
            trusted_read_only=trusted_read_only,
            resolve=os.path.realpath,
        )
        if terms.is_read_only:
            self._close()
        self._workspace = terms.workspace
        self._schema = type(startup.settings)

    @property
    def policy(self) -> RulesPolicy:
        """For whoever explains it."""
        return self._policy

    @property
    def posture(self) -> Posture:
        return self._policy.posture

    @property
    def mode(self) -> str:
        return self._policy.rules.effective_mode()

    def decide(self, request: ToolRequest) -> Decision:
        return self._policy.decide(request)

    def offers(self, request: ToolRequest) -> Offers:
        found = suggested(request, workspace=self._workspace, home=own_home())
        return Offers(for_session=found.for_session, always=found.always, files=self._files() if found.always else {})

    def _files(self) -> dict[str, str]:
        """Where rules can be written down, by whom they hold for."""
        files = settings_files(self._workspace)
        return {
            "user": files.to_change(self._workspace, is_project=False),
            "project": files.to_change(self._workspace, is_project=True),
        }

    def grant(self, rule: str, *, always: bool, is_project: bool = False) -> None:
        self._policy.rules = self._policy.rules.with_allowed(rule)
        if always:
            self._write_down("allow", rule, is_project=is_project)

    def denials(self) -> list[str]:
        return [rule.text for rule in self._policy.rules.in_force("deny")]

    def enter(self, phase: str, *, has_approved_plan: bool, carries_out: bool = False) -> None:
        self._policy.stage = Stage(phase=phase, approved_plan=has_approved_plan, plan_window=carries_out)
        if carries_out and self._policy.rules.default_mode == "plan":
            self._policy.rules = msgspec.structs.replace(self._policy.rules, default_mode="default")

    def adjust(self, *, posture: Posture, mode: str | None, is_read_only: bool) -> None:
        self._policy.posture = posture
        self._policy.rules = msgspec.structs.replace(
            self._policy.rules,
            default_mode=mode or self._usual_mode,  # type: ignore[arg-type]
            deny=tuple(rule for rule in self._policy.rules.deny if rule.source != READ_ONLY),
        )
        if is_read_only:
            self._close()

    def _close(self) -> None:
        """Files are only read. What commands write is held back by the walls."""
        rules = self._policy.rules
        held = [parse_rule(tool, source=READ_ONLY) for tool in WRITERS]
        self._policy.rules = rules.with_listed("deny", (*rules.deny, *held))

    def update(self, changes: Sequence[Mapping[str, Any]]) -> None:
        """For the thread; what is meant for the user's settings is also written down there, as far as it adds rules."""
        for change in changes:
            update = read_update(change)
            self._policy.rules = with_update(self._policy.rules, update)
            if isinstance(update, AddRules) and update.destination == "userSettings":
                for rule in update.rules:
                    self._write_down(update.behavior, rule.text)

    def _write_down(self, behavior: str, rule: str, *, is_project: bool = False) -> None:
        from daedal.config import add_to_list

        file = self._files()["project" if is_project else "user"]
        add_to_list(file, f"permissions.{behavior}", rule, self._schema)


def flag_rules(texts: list[str]) -> list[Rule]:
    """Rules that came by flags. Unlike one in a file, a wrong one is a mistake to hear about at once."""
    rules: list[Rule] = []
    for text in texts:
        try:
            rules.append(parse_rule(text, source="flag"))
        except ValueError as error:
            raise UsageError(say("app.bad_rule", rule=text, why=error)) from error
    return rules
