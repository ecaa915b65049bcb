"""What did a change do to a file, as faces show it? Hunks as `diff -u` writes them, bounded in time and size."""

from collections.abc import Iterator

from daedal.protocol.items import Change
from daedal.tools.encodings import is_binary
from daedal.tools.errors import TRUNCATED
from daedal.tools.sizes import size

CONTEXT_LINES = 3
DIFF_CHARACTERS_MAX = 65_536

COMPARED_LINES_MAX = 2000
"""Above this the changed part is shown as one block: finding the smallest difference takes quadratic time."""


def change(path: str, before: bytes | None, after: bytes) -> Change:
    """The change of one file. A new file shows its content, as the protocol has it."""
    shown = path.encode("utf-8", "replace").decode("utf-8")
    if before is None:
        return Change(path=shown, kind={"type": "add"}, diff=_bounded(iter((_text(after),))))
    if is_binary(before) or is_binary(after):
        summary = f"Binary content: {size(len(before))} before, {size(len(after))} after\n"
        return Change(path=shown, kind={"type": "update"}, diff=summary)
    hunks = _hunks(_lines(before), _lines(after))
    return Change(path=shown, kind={"type": "update"}, diff=_bounded(hunks))


def _text(content: bytes) -> str:
    return content.decode("utf-8", "replace")


def _lines(content: bytes) -> list[str]:
    lines = _text(content).split("\n")
    last = lines.pop()
    ended = [f"{line}\n" for line in lines]
    return [*ended, f"{last}\n\\ No newline at end of file\n"] if last else ended


def _bounded(pieces: Iterator[str]) -> str:
    kept: list[str] = []
    room = DIFF_CHARACTERS_MAX
    for piece in pieces:
        if len(piece) > room:
            kept.append(f"{piece[:room]}\n{TRUNCATED}\n")
            break
        kept.append(piece)
        room -= len(piece)
    return "".join(kept)


def _hunks(old: list[str], new: list[str]) -> Iterator[str]:
    """Compares only what lies between the first and the last difference."""
    first = 0
    while first < min(len(old), len(new)) and old[first] == new[first]:
        first += 1
    same_end = 0
    while same_end < min(len(old), len(new)) - first and old[-1 - same_end] == new[-1 - same_end]:
        same_end += 1
    start = max(0, first - CONTEXT_LINES)
    end = max(0, same_end - CONTEXT_LINES)
    old_part, new_part = old[start : len(old) - end], new[start : len(new) - end]
    for group in _groups(old_part, new_part, first - start, same_end - end):
        _, old_from, _, new_from, _ = group[0]
        _, _, old_to, _, new_to = group[-1]
        old_range = _range(start + old_from, start + old_to)
        yield f"@@ -{old_range} +{_range(start + new_from, start + new_to)} @@\n"
        for tag, i1, i2, j1, j2 in group:
            if tag == "equal":
                yield from (f" {line}" for line in old_part[i1:i2])
            else:
                yield from (f"-{line}" for line in old_part[i1:i2])
                yield from (f"+{line}" for line in new_part[j1:j2])


Opcode = tuple[str, int, int, int, int]


def _groups(old: list[str], new: list[str], lead: int, tail: int) -> list[list[Opcode]]:
    """What to keep, drop and add, hunk by hunk. `lead` and `tail` lines are known to be equal."""
    if old == new:
        return []
    old_end, new_end = len(old) - tail, len(new) - tail
    if old_end + new_end > COMPARED_LINES_MAX:
        block = [("equal", 0, lead, 0, lead), ("replace", lead, old_end, lead, new_end)]
        return [[*block, ("equal", old_end, len(old), new_end, len(new))]]
    import difflib  # slow to import, and needed only once something is changed

    # Only the middle is compared: else a line of the end may be matched elsewhere, and the hunk has no context there.
    middle = difflib.SequenceMatcher(None, old[lead:old_end], new[lead:new_end], autojunk=False).get_opcodes()
    opcodes: list[Opcode] = [("equal", 0, lead, 0, lead)]
    opcodes += [(tag, i1 + lead, i2 + lead, j1 + lead, j2 + lead) for tag, i1, i2, j1, j2 in middle]
    opcodes.append(("equal", old_end, len(old), new_end, len(new)))
    return _split(opcodes)


def _split(opcodes: list[Opcode]) -> list[list[Opcode]]:
    """Hunks: where many lines between two changes stay the same, only those around the changes are shown."""
    groups: list[list[Opcode]] = [[]]
    for opcode in opcodes:
        tag, i1, i2, j1, j2 = opcode
        if tag == "equal" and i2 - i1 > 2 * CONTEXT_LINES:
            groups[-1].append((tag, i1, i1 + CONTEXT_LINES, j1, j1 + CONTEXT_LINES))
            groups.append([(tag, i2 - CONTEXT_LINES, i2, j2 - CONTEXT_LINES, j2)])
        else:
            groups[-1].append(opcode)
    return groups


def _range(start: int, stop: int) -> str:
    """As `diff -u` counts: from 1, the length left out when it is 1, an empty range named by the line before it."""
    length = stop - start
    return str(start + 1) if length == 1 else f"{start + (length > 0)},{length}"
