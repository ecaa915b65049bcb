"""Which settings are in force, for somebody who only looks? Nothing is written, and a broken ledger is no obstacle."""

from collections.abc import Callable

from daedal.app import Settings, open_ledger
from daedal.config import Effective, effective, settings_files
from daedal.protocol.errors import LedgerError


def settings_in_force(folder: str, on_trouble: Callable[[LedgerError], None]) -> Effective[Settings]:
    """From the ledger's stored copy as every run, else from the files. Raises ConfigurationError."""
    try:
        with open_ledger() as ledger:
            if ledger is not None:
                return _effective(folder, ledger.snapshot)
    except LedgerError as trouble:
        on_trouble(trouble)
    return _effective(folder, lambda _: None)


def _effective(folder: str, snapshot: Callable[[str], str | None]) -> Effective[Settings]:
    return effective(
        Settings,
        snapshot=snapshot,
        put=lambda _: None,
        files=settings_files(folder),
        flags={},
        model_config=lambda _: None,
    )
