"""Does a path lie inside a folder? By components: `ws` does not contain `ws2`."""

from collections.abc import Iterable


def inside(path: str, root: str) -> bool:
    """Both absolute and symlink-free; a folder contains itself."""
    return path == root or path.startswith(root.rstrip("/") + "/")


def inside_any(path: str, roots: Iterable[str]) -> bool:
    return any(inside(path, root) for root in roots)
