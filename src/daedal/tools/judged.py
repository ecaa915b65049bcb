"""Does a name still lead where it led when the call was judged? Links may change between the verdict and the call."""

from typing import TypeVar

from daedal.tools.errors import Refused

T = TypeVar("T")

REMEMBERED_MAX = 4096
CALLS_MAX = 64
"""As many alike may be judged before the first of them is made."""

Place = tuple[str, str]
"""A working directory and a name as it was written."""


class JudgedPaths:
    """Where names led when they were asked for. A call that leads elsewhere than any of those answers is not made."""

    def __init__(self) -> None:
        self._led: dict[Place, list[str | None]] = {}
        self._settled: dict[Place, str] = {}
        """Where calls led that were made. One that a person lets out of the walls is made again."""

    def note(self, name: str, cwd: str, path: str | None) -> None:
        """`path` is None where it led nowhere."""
        led = _kept(self._led, (cwd, name), [])
        if len(led) < CALLS_MAX or path not in led:
            led.append(path)

    def knows(self, name: str, cwd: str) -> bool:
        """Whether a call with that name is still to be made."""
        return (cwd, name) in self._led

    def last(self, name: str, cwd: str) -> str | None:
        """Where it led when it was last asked for."""
        led = self._led.get((cwd, name))
        return led[-1] if led else None

    def check(self, name: str, cwd: str, path: str) -> None:
        """The same for a call that is only looked at: nothing is settled by it. Raises Refused."""
        if any(judged != path for judged in self._led.get((cwd, name), ())):
            raise Refused(f"{name} leads to {path} now, and led elsewhere when this call was judged.")

    def settle(self, name: str, cwd: str, path: str) -> None:
        """One of the calls that were judged is made now. Raises Refused where it was not judged for that path."""
        place = (cwd, name)
        led = self._led.pop(place, None) or [self._settled.get(place)]
        if any(judged != path for judged in led):
            raise Refused(
                f"{name} leads to {path} now, and led elsewhere when this call was judged: a symbolic link was changed"
                " in between. Nothing was done. Repeat the call, with the real path of the file if you know it."
            )
        if led[1:]:
            self._led[place] = led[1:]
        self._settled.pop(place, None)
        _kept(self._settled, place, path)


def _kept(memory: dict[Place, T], place: Place, value: T) -> T:
    """What is remembered of it, or else that value from now on. A call that was refused leaves its answer behind."""
    if place not in memory and len(memory) >= REMEMBERED_MAX:
        del memory[next(iter(memory))]
    return memory.setdefault(place, value)
