"""Which of Python's own modules can wait? Those that others import at their top and hardly ever use.

asyncio and msgspec bring along what belongs to tracebacks, signatures, locales and the wrapping of text, and nine
regular expressions only to learn that this is Linux: an eighth of all that there is to do before the first request.
Such a module is there from the start, and loads when somebody first asks it for something: whoever imports it sees no
difference.

Loaded before everything else, like the bundle.
"""

import _thread
import os
import sys
from importlib.util import find_spec, module_from_spec

TYPE_CHECKING = False  # as type checkers know it; `typing` is not loaded yet
if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec
    from types import ModuleType

POSTPONED = ("inspect", "linecache", "locale", "platform", "textwrap")


def postpone() -> None:
    for name in POSTPONED:
        if name not in sys.modules and (spec := find_spec(name)) is not None:
            module = module_from_spec(spec)
            module.__dict__["__getattr__"] = OnDemand(module, spec)
            if name == "platform" and hasattr(os, "uname"):
                # All that `uuid` wants of it; the real one gives the same answer.
                module.__dict__["system"] = lambda: os.uname().sysname
            sys.modules[name] = module


class OnDemand:
    """What Python calls for an attribute that a module does not have, or not yet."""

    _lock = _thread.RLock()

    def __init__(self, module: "ModuleType", spec: "ModuleSpec") -> None:
        self._module = module
        self._spec = spec
        self._is_loading = False

    def __call__(self, attribute: str) -> object:
        # Whoever comes second from another thread waits, and then finds it complete.
        with self._lock:
            if not self._is_loading:
                self._is_loading = True
                self._load()
        try:
            return self._module.__dict__[attribute]
        except KeyError:
            name = self._spec.name
            raise AttributeError(f"module {name!r} has no attribute {attribute!r}", name=attribute) from None

    def _load(self) -> None:
        assert self._spec.loader is not None
        self._spec.loader.exec_module(self._module)
        if self._module.__dict__.get("__getattr__") is self:
            del self._module.__dict__["__getattr__"]
