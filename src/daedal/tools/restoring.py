"""How is a file put back as it was? By its place in the workspace, inside the walls, never through a link."""

import os
import stat

from daedal.protocol.catalogue import say
from daedal.protocol.confinement import Confinement
from daedal.protocol.rewinding import Unrestorable
from daedal.protocol.seams import PreImage
from daedal.sandbox import Walls, inside, reach, resolve
from daedal.tools.errors import Refused
from daedal.tools.files import load
from daedal.tools.moving import folder_of
from daedal.tools.replacing import replace_file


class FileRestorer:
    """The `Restorer` seam."""

    def __init__(self, confinement: Confinement, workspace: str) -> None:
        self._walls = Walls(confinement)
        self._workspace = workspace

    def look(self, path: str) -> PreImage:
        self._refuse_elsewhere(path)
        try:
            found = os.lstat(path)
            if stat.S_ISLNK(found.st_mode):
                with folder_of(path) as folder:
                    target = os.fsencode(os.readlink(os.path.basename(path), dir_fd=folder))
                return PreImage(path=path, content=target, mode=found.st_mode)
            if stat.S_ISDIR(found.st_mode):
                return PreImage(path=path, content=None)  # A folder has come to its place: there is no such file.
            loaded = load(path)
        except (FileNotFoundError, NotADirectoryError):
            return PreImage(path=path, content=None)
        except Refused as refused:
            raise Unrestorable("trouble", str(refused)) from refused
        except (OSError, ValueError) as error:
            raise _trouble(error) from error
        return PreImage(path=path, content=None if loaded is None else loaded.content, mode=loaded and loaded.mode)

    def put(self, image: PreImage, *, under: str | None) -> None:
        path = image.path
        self._refuse_elsewhere(path)
        try:
            if image.content is None:
                self._remove(path, under)
            elif image.mode is not None and stat.S_ISLNK(image.mode):
                self._link(path, image.content)
            else:
                self._write(path, image.content, image.mode)
        except Refused as refused:
            raise Unrestorable("trouble", str(refused)) from refused
        except (OSError, ValueError) as error:
            raise _trouble(error) from error

    def _refuse_elsewhere(self, path: str) -> None:
        if not inside(path, (self._workspace,)) or path == self._workspace:
            raise Unrestorable("outside", say("tools.restore_outside", workspace=self._workspace))
        if path != os.path.normpath(path) or resolve(os.path.dirname(path), "/") != os.path.dirname(path):
            raise Unrestorable("protected", say("tools.restore_link"))
        answer = self._walls.may_write(path)
        if not answer.is_allowed:
            raise Unrestorable("protected", say("tools.restore_protected"))

    def _remove(self, path: str, under: str | None) -> None:
        with reach(path) as spot:
            name = os.path.basename(path)
            with folder_of(path) as folder:
                if stat.S_ISDIR(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode):
                    raise Unrestorable("trouble", say("tools.restore_kind"))
            spot.remove_beside(name)
            spot.sync()
        folder_path = os.path.dirname(path)
        while under is not None and folder_path != under and inside(folder_path, (under,)):
            try:
                with reach(folder_path) as spot:
                    spot.remove_folder()
            except OSError:
                return  # Something else lies there.
            folder_path = os.path.dirname(folder_path)

    def _link(self, path: str, target: bytes) -> None:
        with reach(path, may_make=self._walls.may_make) as spot, folder_of(path) as folder:
            beside = f".daedal-{os.urandom(6).hex()}.tmp"
            os.symlink(target, os.fsencode(beside), dir_fd=folder)
            try:
                spot.take_from(beside)
            finally:
                spot.remove_beside(beside)
            spot.sync()

    def _write(self, path: str, content: bytes, mode: int | None) -> None:
        if os.path.islink(path):
            self._remove(path, None)
        replace_file(path, content, load(path), self._walls.may_make)
        if mode is not None:
            with reach(path) as spot:
                descriptor = spot.open(os.O_RDONLY)
            try:
                if stat.S_IMODE(os.fstat(descriptor).st_mode) != stat.S_IMODE(mode):
                    os.fchmod(descriptor, stat.S_IMODE(mode))
            finally:
                os.close(descriptor)


def _trouble(error: Exception) -> Unrestorable:
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return Unrestorable("trouble", reason)
