"""Which settings are in force, for somebody who only looks? Nothing is written, and a broken ledger is no obstacle."""

import os
from collections.abc import Callable

from daedal.app import Settings, open_ledger
from daedal.cli.streams import warn
from daedal.config import Effective, effective, settings_files
from daedal.protocol.catalogue import say
from daedal.protocol.errors import LedgerError, UsageError


def settings_in_force(folder: str, on_trouble: Callable[[LedgerError], None]) -> Effective[Settings]:
    """From the ledger's stored copy as every run, else from the files. Raises ConfigurationError."""
    try:
        with open_ledger() as ledger:
            if ledger is not None:
                return _effective(folder, ledger.snapshot)
    except LedgerError as trouble:
        on_trouble(trouble)
    return _effective(folder, lambda _: None)


def project_in_force(cd: str | None) -> tuple[str, Settings]:
    """The folder that a command is to look at, and what holds there. Warnings are told; raises UsageError."""
    folder = os.path.realpath(cd or os.getcwd())
    if not os.path.isdir(folder):
        raise UsageError(say("engine.no_such_folder", path=folder))
    settings = settings_in_force(folder, lambda trouble: warn(str(trouble)))
    for warning in settings.warnings:
        warn(warning)
    return folder, settings.value


def _effective(folder: str, snapshot: Callable[[str], str | None]) -> Effective[Settings]:
    return effective(
        Settings,
        snapshot=snapshot,
        put=lambda _: None,
        files=settings_files(folder),
        flags={},
        model_config=lambda _: None,
    )
