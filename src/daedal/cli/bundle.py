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
    from types import CodeType, ModuleType

PACKAGE = "daedal"


class Bundle:
    """A finder and loader for `sys.meta_path`.

    The file begins with the length of its index, then comes the index, then the code of one module after another, which
    is read only when that module is loaded: in time the file holds all of them, and a start needs a third.
    """

    def __init__(self, folder: str) -> None:
        self._path = os.path.join(folder, "__pycache__", f"together.{sys.implementation.cache_tag}.bin")
        self._file = -1
        self._codes_start = 0
        self._modules = self._read()
        self._before = set(sys.modules)
        """Loaded too early to come from here."""

    def _read(self) -> "dict[str, Entry]":
        """Empty where there is none, or where another Python wrote it, or where it is damaged."""
        try:
            self._file = os.open(self._path, os.O_RDONLY | os.O_CLOEXEC)
            length = int.from_bytes(os.pread(self._file, LENGTH_BYTES, 0), "little")
            version, modules = marshal.loads(os.pread(self._file, min(length, INDEX_BYTES_MAX), LENGTH_BYTES))
        except (OSError, EOFError, ValueError, TypeError):
            return {}
        self._codes_start = LENGTH_BYTES + length
        return modules if version == sys.version else {}

    def find_spec(self, name: str, _path: object = None, _target: object = None) -> "ModuleSpec | None":
        """None leaves the module to Python's own finders."""
        entry = self._modules.get(name)
        if entry is None or _state(entry[1]) != entry[2]:
            return None
        code = self._code(entry)
        if code is None:
            return None
        spec: ModuleSpec = type(os.__spec__)(name, self, origin=entry[1], is_package=entry[0])  # type: ignore[misc]
        spec.has_location = True
        spec.loader_state = code
        if entry[0]:
            spec.submodule_search_locations = [os.path.dirname(entry[1])]
        return spec

    def _code(self, entry: "Entry") -> "CodeType | None":
        try:
            return marshal.loads(os.pread(self._file, entry[4], self._codes_start + entry[3]))
        except (OSError, EOFError, ValueError, TypeError):
            return None

    def create_module(self, spec: "ModuleSpec") -> None:
        """As Python does it."""

    def exec_module(self, module: "ModuleType") -> None:
        spec = module.__spec__
        assert spec is not None
        code, spec.loader_state = spec.loader_state, None
        exec(code, module.__dict__)

    def keep_up(self) -> None:
        """Writes the file anew where this process has loaded modules of ours that it does not hold."""
        ours = [name for name in sys.modules if name.partition(".")[0] == PACKAGE and name not in self._before]
        missing = [
            spec for name in ours if (spec := sys.modules[name].__spec__) and not isinstance(spec.loader, Bundle)
        ]
        fresh = {spec.name: found for spec in missing if (found := _compiled(spec))}
        if sys.dont_write_bytecode or not fresh:
            return
        codes = {
            name: (entry[:3], os.pread(self._file, entry[4], self._codes_start + entry[3]))
            for name, entry in self._modules.items()
            if _state(entry[1]) == entry[2]
        }
        scratch = f"{self._path}.{os.getpid()}"
        try:
            with open(scratch, "wb") as file:
                file.write(_written(codes | fresh))
            os.replace(scratch, self._path)
        except OSError:
            pass  # An installation that we may not write to: Python's own cache has to do.


LENGTH_BYTES = 4
INDEX_BYTES_MAX = 1 << 22
State = tuple[int, int]
"""When a source was changed, in nanoseconds, and its size."""
Source = tuple[bool, str, State]
"""Whether it is a package, its file, and how that looked."""
Entry = tuple[bool, str, State, int, int]
"""The same, and where its code begins and how long it is."""


def _written(codes: dict[str, tuple[Source, bytes]]) -> bytes:
    index: dict[str, Entry] = {}
    offset = 0
    for name, (source, code) in codes.items():
        index[name] = (*source, offset, len(code))
        offset += len(code)
    head = marshal.dumps((sys.version, index))
    return b"".join([len(head).to_bytes(LENGTH_BYTES, "little"), head, *(code for _, code in codes.values())])


def _compiled(spec: "ModuleSpec") -> tuple[Source, bytes] | None:
    """A module's code, from Python's own cache; None where that has none for the source as it is."""
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
    return (spec.submodule_search_locations is not None, spec.origin, state), raw[16:]


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
