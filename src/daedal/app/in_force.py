"""Which settings are in force, for somebody who only looks? Nothing is written, and a broken ledger is no obstacle."""

from collections.abc import Callable

from daedal.app.reading import open_ledger
from daedal.app.settings import Settings
from daedal.config import Effective, effective, settings_files
from daedal.protocol.errors import LedgerError


def settings_in_force(folder: str, on_trouble: Callable[[LedgerError], None]) -> Effective[Settings]:
    """From the ledger's stored copy as every run, else from the files. Raises ConfigurationError."""
    try:
        with open_ledger() as ledger:
            if ledger is not None:
                return settings_at(folder, ledger.snapshot)
    except LedgerError as trouble:
        on_trouble(trouble)
    return settings_at(folder, lambda _: None)


def settings_at(folder: str, snapshot: Callable[[str], str | None]) -> Effective[Settings]:
    """As the next start would find them. Raises ConfigurationError."""
    return effective(
        Settings,
        snapshot=snapshot,
        put=lambda _: None,
        files=settings_files(folder),
        flags={},
        model_config=lambda _: None,
    )
