"""In which folders may a command of the line run? `cd` is followed through chains and kept inside its subshell."""

from typing import NamedTuple

from daedal.permissions.shell import Command


class _Scope(NamedTuple):
    reached: frozenset[str]
    """Every folder that the shell may be in, however the commands so far ended."""
    chained: frozenset[str]
    """The folders it may be in when what stands before `&&` succeeded."""
    chain: int
    """The list that `chained` speaks of."""


class Folders:
    def __init__(self, cwd: str) -> None:
        here = frozenset({cwd})
        self._scopes: dict[tuple[int, ...], _Scope] = {(): _Scope(here, here, 0)}

    def of(self, command: Command) -> frozenset[str]:
        """Where the command may run."""
        return _before(self._scope(command), command)

    def moved(self, command: Command, targets: frozenset[str]) -> None:
        """The command was a `cd` to one of these."""
        scope = self._scope(command)
        chained = targets | scope.chained | scope.reached if command.joined == "||" else targets
        if "not" in command.within:
            # After `! cd x`, success means that it failed.
            chained |= scope.reached
        self._scopes[command.scope] = _Scope(scope.reached | targets, chained, command.chain)

    def passed(self, command: Command) -> None:
        """The command was anything else."""
        scope = self._scope(command)
        chained = scope.reached | scope.chained if command.joined == "||" else _before(scope, command)
        self._scopes[command.scope] = _Scope(scope.reached, chained, command.chain)

    def _scope(self, command: Command) -> _Scope:
        known = self._scopes.get(command.scope)
        if known is None:
            depth = len(command.scope)
            while command.scope[:depth] not in self._scopes:
                depth -= 1
            here = _before(self._scopes[command.scope[:depth]], command)
            known = self._scopes[command.scope] = _Scope(here, here, command.follows)
        return known


def _before(scope: _Scope, command: Command) -> frozenset[str]:
    return scope.chained if command.joined == "&&" and scope.chain == command.follows else scope.reached
