"""How are the parts of a fold marked for the model, so that nothing inside them can pass for such a mark?

A summary is written by a model, and what failed is told in the words of whatever failed: neither is to be believed when
it says that the person, a rule or the program said something.
"""

import re
from collections.abc import Sequence

from msgspec import Struct

_MARKS = re.compile(r"<(?=\s*/?\s*(?:digest|pinned|fact|instructions|system)\b)|\[(?=SDLC_)", re.IGNORECASE)
_INSTEAD = {"<": "‹", "[": "("}
DIGEST = """What you did about the messages above is folded into this digest, which you wrote: what it reports as done \
needs no answer any more. What it leaves out is in the record, and the `history` tool finds it.
<digest>
{summary}
</digest>"""
DIGEST_LEFT_OUT = "[An earlier digest no longer fits and is left out here. The `history` tool finds what it was about.]"
PINNED = """These are facts from the record, kept word for word by the program:
<pinned>
{facts}
</pinned>"""
SHOWN = "[{images} images that were shown here are folded.]"
PASTED = "[{characters} characters that were given here are folded. The `history` tool finds them.]"


class Fact(Struct, frozen=True):
    """Something that no fold may lose."""

    kind: str
    """`user_turn`, `success_criterion`, `answer`, `denial` or `failed_approach`."""
    text: str
    sequence: int
    """The row it is."""


def plain(text: str) -> str:
    """The text without anything that looks like a mark of ours."""
    return _MARKS.sub(lambda found: _INSTEAD[found[0]], text)


def digest_text(summary: str) -> str:
    return DIGEST.format(summary=plain(summary))


def pinned_text(facts: Sequence[Fact]) -> str:
    return PINNED.format(facts="\n".join(f'<fact kind="{fact.kind}">{fact.text}</fact>' for fact in facts))


def clipped(text: str, characters: int) -> str:
    """The beginning and the end of it, where it is longer."""
    if len(text) <= characters:
        return text
    head = characters * 2 // 3
    return f"{text[:head]} […] {text[len(text) - (characters - head) :]}"
