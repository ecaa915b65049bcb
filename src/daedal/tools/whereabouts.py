"""Where is the thread after a command? The shell tells on its way out, and the project is not left for long."""

import fcntl
import os
from types import TracebackType

from msgspec.structs import replace

from daedal.protocol.seams import Bench, Outcome
from daedal.sandbox import inside, resolve

DESCRIPTOR_MIN = 200
"""High enough not to meet the descriptors that scripts choose for themselves."""

PATH_BYTES_MAX = 65_536


class CwdReport:
    """A pipe to which the shell writes its last directory, whether it ends by itself, by `exit` or by `set -e`."""

    def __enter__(self) -> "CwdReport":
        self._reading, writing = os.pipe()
        try:
            self.descriptor = fcntl.fcntl(writing, fcntl.F_DUPFD_CLOEXEC, DESCRIPTOR_MIN)
        except OSError:
            os.close(self._reading)
            raise
        finally:
            os.close(writing)
        self.prefix = f"trap 'pwd -P >&{self.descriptor} 2>/dev/null' EXIT; "
        """Goes before the command, on the same line: so line numbers in messages stay right."""
        return self

    def read(self) -> str | None:
        """What was told, or None: the command replaced the shell, was killed, or the directory is gone."""
        os.set_blocking(self._reading, False)
        try:
            told = os.read(self._reading, PATH_BYTES_MAX)
        except BlockingIOError:
            return None
        return os.fsdecode(told).removesuffix("\n") or None

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.close(self._reading)
        os.close(self.descriptor)


def moved(outcome: Outcome, told: str | None, bench: Bench) -> Outcome:
    """The outcome with the directory from now on, where it is another one."""
    workspace = resolve(bench.workspace, "/")
    here = told or resolve(bench.cwd, "/")
    if not inside(here, (workspace,)) or not os.path.isdir(here):
        return replace(outcome, content=f"{outcome.content.rstrip()}\n{_reset(workspace)}", cwd=workspace)
    return outcome if here == bench.cwd else replace(outcome, cwd=here)


def lost(bench: Bench) -> Outcome:
    """The directory in which the command should have run is gone."""
    gone = f"The working directory {bench.cwd} does not exist any more, so the command was not run."
    workspace = resolve(bench.workspace, "/")
    if not os.path.isdir(workspace):
        return Outcome(content=f"{gone} The project folder {workspace} is gone too.", is_error=True)
    return Outcome(content=f"{gone}\n{_reset(workspace)}", is_error=True, cwd=workspace)


def _reset(workspace: str) -> str:
    return f"Shell cwd was reset to {workspace}"
