"""What does the model say about the goal at the end of a turn? One mark in its last line, and nothing else counts."""

import unicodedata
from enum import StrEnum

from msgspec import Struct

from daedal.protocol.catalogue import say

MARK_MAX = 2_000
"""Characters. A longer last line is no report."""
REASON_MAX = 500


class Claim(StrEnum):
    CONTINUE = "continue"
    COMPLETE = "complete"
    BLOCKED = "blocked"


class Report(Struct, frozen=True):
    claim: Claim
    reason: str = ""
    """What is in the way."""


def read_report(said: str) -> Report:
    """No mark, or one that is not understood, means that there is more to do."""
    line = next((bare for one in reversed(said.splitlines()) if (bare := one.strip("`*_> \t"))), "")
    if not line.startswith("[") or len(line) > MARK_MAX:
        return Report(Claim.CONTINUE)
    mark, _, after = line[1:].partition("]")
    name, _, inside = mark.partition(":")
    claim, _, reason = inside.partition(":")
    if name.strip().casefold() != "goal":
        return Report(Claim.CONTINUE)
    match claim.strip().casefold():
        case "complete" if not reason.strip() and not after.strip(" ."):
            return Report(Claim.COMPLETE)
        case "blocked":
            # The reason may have brackets of its own, or stand behind the mark.
            rest = f"{reason}]{after}" if after.endswith("]") else f"{reason} {after}"
            told = rest.strip().removesuffix("]").strip(" :-–—")
            return Report(Claim.BLOCKED, told[:REASON_MAX] or say("autopilot.unsaid"))
        case _:
            return Report(Claim.CONTINUE)


def normalised(reason: str) -> str:
    """The same for reasons that differ in nothing but case, white space and punctuation."""
    text = unicodedata.normalize("NFKC", reason).casefold()
    kept = "".join(" " if unicodedata.category(letter)[0] in "PZSC" else letter for letter in text)
    return " ".join(kept.split()) or text.strip()
