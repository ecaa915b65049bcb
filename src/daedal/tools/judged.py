"""Does a name still lead where it led when the call was judged? Links may change between the verdict and the call."""

from daedal.tools.errors import Refused

REMEMBERED_MAX = 4096
CALLS_MAX = 64
"""As many alike may be judged before the first of them is made."""


class JudgedPaths:
    """Where names led when they were asked for. A call that leads elsewhere than any of those answers is not made."""

    def __init__(self) -> None:
        self._led: dict[tuple[str, str], list[str]] = {}

    def note(self, name: str, cwd: str, path: str) -> None:
        if len(self._led) >= REMEMBERED_MAX:
            del self._led[next(iter(self._led))]  # a call that was refused is never made, and leaves its answer here
        led = self._led.setdefault((cwd, name), [])
        if len(led) < CALLS_MAX or path not in led:
            led.append(path)

    def settle(self, name: str, cwd: str, path: str) -> None:
        """One of the calls that were judged is made now. Raises Refused where it was judged for another path."""
        led = self._led.get((cwd, name), [])
        if any(judged != path for judged in led):
            del self._led[cwd, name]
            raise Refused(
                f"{name} leads to {path} now, and led elsewhere when this call was judged: a symbolic link was changed"
                " in between. Nothing was done. Repeat the call, with the real path of the file if you know it."
            )
        if led:
            led.pop()
        if not led:
            self._led.pop((cwd, name), None)
