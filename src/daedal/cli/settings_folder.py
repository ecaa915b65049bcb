"""Whose settings hold for a run? Those of the folder that was named; for a resumed session those of its own folder."""

from daedal.app import open_ledger
from daedal.cli.options import Options


async def settings_folder(options: Options) -> str | None:
    """For the house as a whole; None means this folder. Raises UsageError for an unknown session, or LedgerError."""
    if options.cd or not options.resume:
        return options.cd
    with open_ledger() as ledger:
        # Without a ledger there is no such session either, as whoever resumes it will say.
        return None if ledger is None else (await ledger.find_session(options.resume)).project_dir
