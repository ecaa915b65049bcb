"""How do our own modules load quickly? Their compiled code lies together in one file, beside Python's own cache.

Python looks for each module in its folder, opens its `.pyc` and closes it again; for a hundred small files that is a
twentieth of the time to the first request. A start that had to load a module the slow way writes the file anew as it
ends, so the next start finds it. A source that changed since is never taken from here. Whoever may write this file may
write Python's own cache beside it too, so it adds nobody who could choose what runs.

Loaded before everything else, and therefore without `typing`, `re` or any other module that is not built in.
"""

import marshal
import os
import sys

TYPE_CHECKING = False  # as type checkers know it; `typing` is not loaded yet
if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec
    from types import ModuleType

PACKAGE = "daedal"


class Bundle:
    """A finder and loader for `sys.meta_path`. Its content: name → (is a package, source, its state, code)."""

    def __init__(self, folder: str) -> None:
        self._path = os.path.join(folder, "__pycache__", f"together.{sys.implementation.cache_tag}.bin")
        self._modules = self._read()
        self._before = set(sys.modules)
        """Loaded too early to come from here."""

    def _read(self) -> "dict[str, Entry]":
        """Empty where there is none, or where another Python wrote it, or where it is damaged."""
        try:
            with open(self._path, "rb") as file:
                version, modules = marshal.loads(file.read())
        except (OSError, EOFError, ValueError, TypeError):
            return {}
        return modules if version == sys.version else {}

    def find_spec(self, name: str, _path: object = None, _target: object = None) -> "ModuleSpec | None":
        """None leaves the module to Python's own finders."""
        kept = self._modules.get(name)
        if kept is None or _state(kept[1]) != kept[2]:
            return None
        spec: ModuleSpec = type(os.__spec__)(name, self, origin=kept[1], is_package=kept[0])  # type: ignore[misc]
        spec.has_location = True
        if kept[0]:
            spec.submodule_search_locations = [os.path.dirname(kept[1])]
        return spec

    def create_module(self, spec: "ModuleSpec") -> None:
        """As Python does it."""

    def exec_module(self, module: "ModuleType") -> None:
        exec(marshal.loads(self._modules[module.__name__][3]), module.__dict__)

    def keep_up(self) -> None:
        """Writes the file anew where this process has loaded modules of ours that it does not hold."""
        ours = [name for name in sys.modules if name.partition(".")[0] == PACKAGE and name not in self._before]
        missing = [
            spec for name in ours if (spec := sys.modules[name].__spec__) and not isinstance(spec.loader, Bundle)
        ]
        fresh = {spec.name: entry for spec in missing if (entry := _compiled(spec))}
        if sys.dont_write_bytecode or not fresh:
            return
        kept = {name: entry for name, entry in self._modules.items() if _state(entry[1]) == entry[2]}
        scratch = f"{self._path}.{os.getpid()}"
        try:
            with open(scratch, "wb") as file:
                file.write(marshal.dumps((sys.version, kept | fresh)))
            os.replace(scratch, self._path)
        except OSError:
            pass  # An installation that we may not write to: Python's own cache has to do.


State = tuple[int, int]
"""When a source was changed, in nanoseconds, and its size."""
Entry = tuple[bool, str, State, bytes]


def _compiled(spec: "ModuleSpec") -> Entry | None:
    """A module's entry, from Python's own cache; None where that has none for the source as it is."""
    if spec.origin is None or spec.cached is None or (state := _state(spec.origin)) is None:
        return None
    try:
        with open(spec.cached, "rb") as file:
            raw = file.read()
    except OSError:
        return None
    of_source = (state[0] // 10**9 & 0xFFFFFFFF).to_bytes(4, "little") + (state[1] & 0xFFFFFFFF).to_bytes(4, "little")
    if raw[4:16] != bytes(4) + of_source:
        return None
    return spec.submodule_search_locations is not None, spec.origin, state, raw[16:]


def _state(source: str) -> State | None:
    try:
        found = os.stat(source)
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size


def install() -> Bundle:
    """From now on modules of ours come from the bundle where it has them."""
    bundle = Bundle(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    sys.meta_path.insert(0, bundle)
    return bundle
