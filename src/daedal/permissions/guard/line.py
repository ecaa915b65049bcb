"""May every command of one line run? Walks the line in reading order, with the folder and the variables it has made."""

import re
from posixpath import dirname, join

from daedal.permissions.containment import inside
from daedal.permissions.guard.arguments import Arg, Variables
from daedal.permissions.guard.call import Call, Ground, refuse_write
from daedal.permissions.guard.environment import check_assignment
from daedal.permissions.guard.files import FILE_COMMANDS
from daedal.permissions.guard.folders import Folders
from daedal.permissions.guard.git import check_git
from daedal.permissions.guard.lists import (
    DESTRUCTIVE,
    DEV_SCRIPT,
    NEVER,
    PROFILES,
    SYSTEM_FOLDERS,
    TOOL_FOLDERS,
)
from daedal.permissions.guard.places import Zone
from daedal.permissions.guard.processes import check_pkill
from daedal.permissions.guard.readers import READERS
from daedal.permissions.guard.redirects import check_redirect
from daedal.permissions.guard.refusal import Refused, Rule
from daedal.permissions.guard.shell_words import WORD_CHECKS, cd_targets
from daedal.permissions.guard.tools import check_tool
from daedal.permissions.shell import Command, Script

_TOOLS = frozenset[str]().union(*PROFILES.values())
_NAMES_STATE = re.compile(r"\.daedal(?![-\w])", re.IGNORECASE)
LAUNCHES_MAX = 4
"""Of package managers starting each other."""


class Line:
    def __init__(self, script: Script, ground: Ground, cwd: str) -> None:
        self._script = script
        self._ground = ground._replace(names_state=_names_state(script), feeds_groups=_feeds_groups(script))
        self._variables = Variables(script.commands, ground.places.home)
        self._folders = Folders(cwd)

    def check(self) -> None:
        for command in self._script.commands:
            self._check(command)

    def _check(self, command: Command) -> None:
        cwds = self._folders.of(command)
        cwd = next(iter(cwds)) if len(cwds) == 1 else None
        bare = Call("", [], cwds, self._ground, command)
        for name, word in command.assignments:
            value = self._variables.arg(word, command.scope, cwd)
            check_assignment(name, value, self._ground.places, cwds)
            if command.words and _NAMES_STATE.search(value.text if value.text is not None else value.known):
                refuse_write(Zone.STATE, f"{name}={value.raw}", is_sync=self._ground.is_sync)
        targets: frozenset[str] = frozenset()
        for chosen in self._variables.choices(command):
            for redirect in command.redirects:
                check_redirect(bare, redirect, self._variables.arg(redirect.target, command.scope, cwd, chosen))
            if not command.words:
                continue
            words = [self._variables.arg(word, command.scope, cwd, chosen) for word in command.words]
            call = Call(self._program(words[0], cwds), words[1:], cwds, self._ground, command)
            if call.name == "cd":
                targets |= cd_targets(call)
            else:
                self._check_program(call, LAUNCHES_MAX)
        self._variables.take(command)
        if targets:
            self._folders.moved(command, targets)
        else:
            self._folders.passed(command)

    def _program(self, head: Arg, cwds: frozenset[str]) -> str:
        """The name under which the program is listed. A path is a listed program only in well-known folders."""
        text = head.text
        if text is None or head.is_pattern:
            raise Refused(
                Rule.CONSTRUCT, f"which program {head.raw} is, is only known to the shell. Write the command out."
            )
        if "/" not in text:
            return text
        folder, _, name = text.rpartition("/")
        if folder in SYSTEM_FOLDERS:
            return name
        project = self._ground.places.project
        paths = [self._ground.places.absolute(text, cwd) for cwd in cwds]
        if all(path == join(project, DEV_SCRIPT) for path in paths):
            return DEV_SCRIPT
        tools = all(inside(path, project) and dirname(path).endswith(TOOL_FOLDERS) for path in paths)
        return name if tools and name in _TOOLS else text

    def _check_program(self, call: Call, launches: int) -> None:
        name, ground = call.name, self._ground
        if name in NEVER:
            raise Refused(Rule.CONSTRUCT, f"`{name}` can change what other commands mean. Run the commands directly.")
        if name == DEV_SCRIPT:
            return _check_dev_script(call)
        if name in WORD_CHECKS:
            return WORD_CHECKS[name](call)
        if name in DESTRUCTIVE:
            return FILE_COMMANDS[name](call)
        if name == "pkill":
            return check_pkill(call)
        if name not in ground.listed:
            raise _unlisted(name, ground)
        if name in FILE_COMMANDS:
            return FILE_COMMANDS[name](call)
        if name == "git":
            return check_git(call)
        if name in READERS:
            return READERS[name](call)
        inner = check_tool(call)
        if inner is not None:
            if launches == 0:
                raise Refused(Rule.CONSTRUCT, "package managers start each other too often. Run the command directly.")
            self._check_program(call._replace(name=inner[0].text or "", args=inner[1:]), launches - 1)
        return None


def _names_state(script: Script) -> bool:
    words = [word for command in script.commands for word in command.words]
    values = [word for command in script.commands for _, word in command.assignments]
    return any(_NAMES_STATE.search(word.raw) for word in words + values)


def _feeds_groups(script: Script) -> bool:
    return any(
        redirect.operator.startswith("<")
        for command in script.commands
        if not command.words
        for redirect in command.redirects
    )


def _check_dev_script(call: Call) -> None:
    if call.args:
        raise Refused(Rule.OPTION, f"{DEV_SCRIPT} may only run without arguments.")


def _unlisted(name: str, ground: Ground) -> Refused:
    if name in FILE_COMMANDS and ground.is_sync:
        return Refused(
            Rule.READ_ONLY,
            f"{name} changes files, and the project is read-only while verifying. Only report what is wrong.",
        )
    return Refused(
        Rule.UNLISTED,
        f"{name} is not on the list of commands for unattended work. Use a listed command or the file tools; the user "
        "can add it to allowCommands in .daedal/agent.json.",
    )
