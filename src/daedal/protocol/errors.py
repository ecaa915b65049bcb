"""What can go wrong that a person should read about?

DaedalError
├── UsageError            the command line or the call was wrong                exit 2
├── ConfigurationError    a setting, key, provider or model is wrong           exit 2
├── LedgerError           the database cannot be used                           exit 1
│   └── LedgerBusy        somebody else holds what we need                      exit 75
└── ProviderError         the model's side failed; says if waiting may help     exit 75 or 1 or 2

Each carries a finished sentence for the person: what happened, why, what to do next.
"""

from daedal.protocol.turns import ErrorKind
from daedal.protocol.verdict import Ruling


class DaedalError(Exception):
    kind = ErrorKind.INTERNAL


class UsageError(DaedalError):
    kind = ErrorKind.CONFIGURATION


class ConfigurationError(DaedalError):
    kind = ErrorKind.CONFIGURATION


class LedgerError(DaedalError):
    kind = ErrorKind.LEDGER


class LedgerBusy(LedgerError):
    kind = ErrorKind.LEDGER_BUSY


class ProviderError(DaedalError):
    def __init__(
        self, message: str, kind: ErrorKind, *, status: int | None = None, resets_at: int | None = None
    ) -> None:
        super().__init__(message)
        self.kind = kind
        self.status = status
        """The HTTP status, where there was one."""
        self.resets_at = resets_at
        """When a quota that has run out is there again, in seconds since 1970; None where nobody said."""


class TurnCancelled(Exception):
    """No error: the person answered an approval by stopping the turn."""

    def __init__(self, ruling: Ruling) -> None:
        super().__init__()
        self.ruling = ruling
