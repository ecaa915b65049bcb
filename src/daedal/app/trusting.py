"""May what a folder's files say take effect? Shown, agreed to and taken back, for `daedal trust` and every face."""

from daedal.app.settings import Settings
from daedal.config import TrustFile, project_root, settings_files, trust_path, trust_state
from daedal.protocol.catalogue import say
from daedal.protocol.errors import UsageError
from daedal.protocol.housekeeping import TrustItem, TrustState


def folder_trust(folder: str) -> TrustState:
    """Asked anew: somebody may just have written a file."""
    found = trust_state(Settings, settings_files(folder))
    named = "trusted" if found.is_trusted else "changed" if found.is_changed else "untrusted"
    return TrustState(
        folder=found.root or folder,
        state=named if found.items else "nothing",
        items=[TrustItem(file=item.file, text=item.text) for item in found.items],
        files=found.files,
        obstacle=found.obstacle,
    )


def trust_folder(folder: str, seen: dict[str, str]) -> TrustState:
    """With the content that somebody looked at, and no other. Raises UsageError."""
    found = folder_trust(folder)
    if found.obstacle:
        raise UsageError(found.obstacle)
    if found.files != seen:
        raise UsageError(say("app.trust.not_as_seen", folder=found.folder))
    if found.state in ("changed", "untrusted"):
        TrustFile(trust_path()).trust(found.folder, found.files)
    return folder_trust(folder)


def revoke_trust(folder: str) -> tuple[str, bool]:
    """The folder that it was about, and whether it was trusted at all. A folder that is gone can still be revoked."""
    store = TrustFile(trust_path())
    root = next((known for known in (folder, project_root(folder)) if known in store.folders()), folder)
    return root, store.revoke(root)
