"""How is a file of the user's replaced so that a crash leaves the old one or the new one, never half of each?"""

import os
import stat

from daedal.config.home import project_root
from daedal.permissions import inside
from daedal.protocol.catalogue import say
from daedal.protocol.errors import ConfigurationError


def replace_file(path: str, data: bytes, *, is_private: bool = True) -> None:
    """Writes the file anew: with mode 600, or else with the mode that it has or any new file gets.

    A symbolic link stays one: what it points to is replaced. Raises ConfigurationError.
    """
    target = os.path.realpath(path)
    draft = f"{target}.{os.getpid()}.{os.urandom(4).hex()}"
    try:
        os.makedirs(os.path.dirname(target), mode=0o700, exist_ok=True)
        try:
            _write_new(draft, data, None if is_private else _mode(target))
            os.replace(draft, target)
        except OSError:
            _discard(draft)
            raise
        _sync_folder(os.path.dirname(target))
    except OSError as error:
        raise ConfigurationError(say("config.unwritable", path=path, reason=error.strerror)) from error


def replace_project_file(path: str, data: bytes) -> None:
    """The same for a file that comes with a project, which is for everyone who works on it.

    A link that a stranger put there must not have us write into the user's own settings. Raises ConfigurationError.
    """
    root = os.path.realpath(project_root(os.path.dirname(path)))
    if not inside(os.path.realpath(path), root):
        raise ConfigurationError(say("config.leads_out", path=path))
    replace_file(path, data, is_private=False)


def _mode(path: str) -> int:
    try:
        return stat.S_IMODE(os.stat(path).st_mode)
    except FileNotFoundError:
        mask = os.umask(0o077)
        os.umask(mask)
        return 0o666 & ~mask


def _write_new(path: str, data: bytes, mode: int | None) -> None:
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        if mode is not None:
            os.chmod(path, mode)
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _discard(path: str) -> None:
    try:
        os.unlink(path)
    except FileNotFoundError:
        pass


def _sync_folder(folder: str) -> None:
    if os.name != "posix":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
