"""What does an exit status mean? The documented, distinct numbers, and which error leads to which."""

from enum import IntEnum

from daedal.protocol.records import TurnStatus
from daedal.protocol.turns import ErrorKind, Turn


class ExitCode(IntEnum):
    DONE = 0
    FAILED = 1
    USAGE = 2
    """The command line or the configuration is wrong."""
    LIMIT = 53
    """A limit was reached: model calls, budget, the model's output or its window."""
    LATER = 75
    """Trouble that may pass: the provider, the network, or a database in use. Try again later."""
    INTERRUPTED = 130


BY_KIND = {
    ErrorKind.CONFIGURATION: ExitCode.USAGE,
    ErrorKind.AUTHENTICATION: ExitCode.USAGE,
    ErrorKind.RATE_LIMIT: ExitCode.LATER,
    ErrorKind.SERVER: ExitCode.LATER,
    ErrorKind.NETWORK: ExitCode.LATER,
    ErrorKind.LEDGER_BUSY: ExitCode.LATER,
    ErrorKind.OUTPUT_LIMIT: ExitCode.LIMIT,
    ErrorKind.STEP_LIMIT: ExitCode.LIMIT,
    ErrorKind.CONTEXT_WINDOW: ExitCode.LIMIT,
    ErrorKind.BUDGET: ExitCode.LIMIT,
}


def of_kind(kind: ErrorKind) -> ExitCode:
    return BY_KIND.get(kind, ExitCode.FAILED)


def of_turn(turn: Turn) -> ExitCode:
    if turn.status is TurnStatus.COMPLETED:
        return ExitCode.DONE
    if turn.status is TurnStatus.INTERRUPTED:
        return ExitCode.INTERRUPTED
    return of_kind(turn.error.kind) if turn.error else ExitCode.FAILED
