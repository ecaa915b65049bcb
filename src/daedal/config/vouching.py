"""Does a command still run what the person saw? The files that it names are looked at again before it starts.

Trust is found out once, at the start. What works in the folder from then on could rewrite a script that is to run
later, outside all walls.
"""

from collections.abc import Mapping

from daedal.config.home import trust_path
from daedal.config.scripts import digest, named_files
from daedal.config.snapshot import identity_of
from daedal.config.trust_file import TrustFile
from daedal.protocol.errors import ConfigurationError


def changed_script(vouched: Mapping[str, str], command: str, root: str) -> str | None:
    """A file that the command names and that is not what was trusted; None where all of them are.

    `vouched` are the files that commands of the trusted folder `root` name, and how they looked.
    """
    try:
        named = [path for path in named_files({"command": command}, root) if path in vouched]
    except ConfigurationError:
        return None  # Nobody could have trusted a command like that: it is the user's own.
    return next((path for path in named if not _is_as_trusted(path, vouched[path], root)), None)


def _is_as_trusted(path: str, looked: str, root: str) -> bool:
    if identity_of(path, is_others=True) == looked:
        return True
    # Another time or another owner is no other content.
    try:
        approved = TrustFile(trust_path()).folders().get(root)
    except ConfigurationError:
        return False
    known = None if approved is None else approved.files.get(path[len(root.rstrip("/")) + 1 :])
    return known is not None and known == digest(path, root)
