"""How large is a patch? Files, lines added and lines removed, of a patch as git writes it."""

from msgspec import Struct


class DiffStat(Struct, frozen=True, kw_only=True, rename="camel"):
    files: int = 0
    added: int = 0
    removed: int = 0


class _File:
    is_new = False
    added = 0
    removed = 0


def stat_of(diff: str) -> DiffStat:
    """A file that several parts are about counts once. What is removed from a file that is new was not there before."""
    files: dict[str, _File] = {}
    file, is_head = _File(), True
    for line in diff.split("\n"):
        if line.startswith("diff --git "):
            file, is_head = files.setdefault(line.rpartition(" b/")[2], _File()), True
        elif line.startswith("@@"):
            is_head = False
        elif is_head:
            file.is_new = file.is_new or line.startswith("new file mode ")
        else:
            file.added += line.startswith("+")
            file.removed += line.startswith("-")
    return DiffStat(
        files=len(files),
        added=sum(one.added - one.removed if one.is_new else one.added for one in files.values()),
        removed=sum(one.removed for one in files.values() if not one.is_new),
    )
