"""What did a change do to a file, as faces show it? Hunks as `diff -u` writes them, bounded in time and size.

Files are compared as bytes, and only what lies between the first and the last difference is taken apart into lines: of
a large file nothing is copied but what can be shown.
"""

from collections.abc import Iterable, Iterator
from itertools import islice

from msgspec import Struct

from daedal.protocol.items import Change
from daedal.tools.common_ends import common_end, common_start
from daedal.tools.encodings import is_binary
from daedal.tools.errors import TRUNCATED
from daedal.tools.sizes import size

CONTEXT_LINES = 3
DIFF_CHARACTERS_MAX = 65_536

SHOWN_BYTES_MAX = 4 * (DIFF_CHARACTERS_MAX + 1)
"""No more than these are ever needed of one piece: a character takes at most four, and one too many shows the cut."""

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
    return Change(path=shown, kind={"type": "update"}, diff=_bounded(_hunks(before, after)))


def _text(content: bytes) -> str:
    return content[:SHOWN_BYTES_MAX].decode("utf-8", "replace")


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


class _Part(Struct, frozen=True):
    """Some lines of a file, where they stand in it."""

    content: bytes
    start: int
    stop: int

    def __len__(self) -> int:
        is_open = self.stop > self.start and self.content[self.stop - 1] != ord("\n")
        return self.content.count(b"\n", self.start, self.stop) + is_open

    def __iter__(self) -> Iterator[bytes]:
        """Line by line, as much of each as could be shown."""
        start = self.start
        while start < self.stop:
            end = self.content.find(b"\n", start, self.stop) + 1 or self.stop
            yield self.content[start : min(end, start + SHOWN_BYTES_MAX)]
            start = end


def _hunks(before: bytes, after: bytes) -> Iterator[str]:
    """Compares only what lies between the first and the last difference."""
    if before == after:
        return
    lead = common_start(before, after)
    tail = common_end(before, after, lead)
    old, new = _Part(before, lead, len(before) - tail), _Part(after, lead, len(after) - tail)
    above = list(_Part(before, _lines_up(before, lead), lead))
    below = list(islice(_Part(before, old.stop, len(before)), CONTEXT_LINES))
    first = before.count(b"\n", 0, lead) - len(above)
    is_large = old.stop + new.stop - 2 * lead > SHOWN_BYTES_MAX
    if is_large or len(old) + len(new) > COMPARED_LINES_MAX:
        around = len(above) + len(below)
        yield _header(first, len(old) + around, first, len(new) + around)
        yield from _signed(" ", above)
        yield from _signed("-", old)
        yield from _signed("+", new)
        yield from _signed(" ", below)
        return
    old_part, new_part = [*above, *old, *below], [*above, *new, *below]
    for group in _groups(old_part, new_part, len(above), len(below)):
        _, old_from, _, new_from, _ = group[0]
        _, _, old_to, _, new_to = group[-1]
        yield _header(first + old_from, old_to - old_from, first + new_from, new_to - new_from)
        for tag, i1, i2, j1, j2 in group:
            if tag == "equal":
                yield from _signed(" ", old_part[i1:i2])
            else:
                yield from _signed("-", old_part[i1:i2])
                yield from _signed("+", new_part[j1:j2])


def _signed(sign: str, lines: Iterable[bytes]) -> Iterator[str]:
    for line in lines:
        end = "" if line.endswith(b"\n") else "\n\\ No newline at end of file\n"
        yield f"{sign}{_text(line)}{end}"


def _lines_up(content: bytes, place: int) -> int:
    """Where the lines start that are shown above a place."""
    for _ in range(CONTEXT_LINES):
        if place > 0:
            place = content.rfind(b"\n", 0, place - 1) + 1
    return place


Opcode = tuple[str, int, int, int, int]


def _groups(old: list[bytes], new: list[bytes], lead: int, tail: int) -> list[list[Opcode]]:
    """What to keep, drop and add, hunk by hunk. `lead` and `tail` lines are known to be equal."""
    import difflib  # slow to import, and needed only once something is changed

    old_end, new_end = len(old) - tail, len(new) - tail
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


def _header(old_start: int, old_count: int, new_start: int, new_count: int) -> str:
    return f"@@ -{_range(old_start, old_count)} +{_range(new_start, new_count)} @@\n"


def _range(start: int, length: int) -> str:
    """As `diff -u` counts: from 1, the length left out when it is 1, an empty range named by the line before it."""
    return str(start + 1) if length == 1 else f"{start + (length > 0)},{length}"
