"""May this call run while nobody watches? Allow or deny, never ask, always with a rule and a reason.

The guard explains, the mount enforces: it judges what is written, by names, and tells the model what to do instead.
What links, scripts and programs do at run time is held by the sandbox around an unattended run.
"""

from typing import Any

from daedal.permissions.guard.agent_config import agent_config
from daedal.permissions.guard.call import Ground, refuse_write
from daedal.permissions.guard.line import Line
from daedal.permissions.guard.lists import BASE, PKILL_TARGETS, PROFILES, RUN_ONLY
from daedal.permissions.guard.places import Places
from daedal.permissions.guard.refusal import Refused, Rule
from daedal.permissions.shell import parse
from daedal.protocol.verdict import Decision, Verdict

_SHELLS = frozenset({"bash", "shell"})
_READING = frozenset({"read", "glob", "grep", "ls", "list", "search", "notebookread", "view"})
_PATH_KEYS = (
    "source_path",
    "destination_path",
    "file_path",
    "notebook_path",
    "path",
    "dest",
    "destination",
    "source",
    "target",
)


class Guard:
    """One profile in one project. Pure: the same words always get the same answer."""

    def __init__(
        self, *, profile: str, project: str, home: str, extra: object = None, allow_destructive: bool = False
    ) -> None:
        config, self.warnings = agent_config(extra)
        is_sync = profile != "run"
        listed = BASE | config.allow_base | (config.allow_sync if is_sync else config.allow_run | RUN_ONLY)
        targets = config.pkill_targets
        for name in config.profiles:
            listed |= PROFILES[name]
            targets |= PKILL_TARGETS[name]
        self._ground = Ground(
            places=Places(project, home),
            is_sync=is_sync,
            allow_destructive=allow_destructive and not is_sync,
            listed=listed,
            pkill_targets=targets,
            names_state=False,
            feeds_groups=False,
        )

    def decide(self, command: str, cwd: str) -> Decision:
        """One command line, as the shell would be given it in `cwd`."""
        try:
            script = parse(command)
            # What a command says for itself explains more than the doubt about the line.
            Line(script, self._ground, self._ground.places.absolute(cwd, "/")).check()
            if script.doubts:
                raise Refused(
                    Rule.CONSTRUCT,
                    f"the line holds {script.doubts[0]}, which cannot be checked. Write plain commands, one by one.",
                )
        except Refused as refused:
            return Decision(verdict=Verdict.DENY, rule=refused.rule, reason=refused.reason)
        return _allowed("every command in the line is listed")

    def decide_call(self, tool: str, arguments: dict[str, Any], paths: list[str], cwd: str) -> Decision:
        """Any tool: the shell by its command, all others by the paths that they would write."""
        if tool.lower() in _SHELLS:
            command = arguments.get("command")
            if not isinstance(command, str):
                return Decision(verdict=Verdict.DENY, rule=Rule.CONSTRUCT, reason="the command is not text")
            return self.decide(command, cwd)
        if tool.lower() in _READING:
            return _allowed("reading is allowed")
        named = [value for key in _PATH_KEYS if isinstance(value := arguments.get(key), str)]
        places = self._ground.places
        try:
            for path in dict.fromkeys([*paths, *named]):
                refuse_write(places.zone(places.absolute(path, cwd)), path, is_sync=self._ground.is_sync)
        except Refused as refused:
            return Decision(verdict=Verdict.DENY, rule=refused.rule, reason=refused.reason)
        return _allowed("it writes only where this run may")


def _allowed(reason: str) -> Decision:
    return Decision(verdict=Verdict.ALLOW, rule=Rule.ALLOWED, reason=reason)
