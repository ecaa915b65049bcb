"""Which facts may no fold lose? What the person said and decided, what was not allowed, and what did not work.

They are read from rows, never from a summary. A part of a user turn that is larger than the pin budget is not among
them: durable facts belong in a turn of their own, not in a large paste.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec.json import encode

from daedal.engine.fold_marks import Fact, clipped, plain
from daedal.engine.planning import EXIT
from daedal.protocol.records import EntryType, StoredEntry

PIN_SUBTYPE = "pinned_fact"
"""Of a `system` row that pins something by itself: `{"subtype": "pinned_fact", "kind": …, "text": …}`."""
ASKING = "AskUserQuestion"
INPUT_CHARACTERS_MAX = 200
REASON_CHARACTERS_MAX = 240
OF_A_KIND_MAX = 20
"""So many denials, and so many failed approaches, are pinned by one fold: the newest."""


def user_facts(entries: Iterable[StoredEntry]) -> list[Fact]:
    """Every part of every user turn."""
    return [
        Fact("user_turn", block["text"], entry.sequence)
        for entry in entries
        if entry.entry_type is EntryType.USER
        for block in entry.payload["content"]
        if block["type"] == "text" and block["text"].strip()
    ]


def work_facts(entries: Sequence[StoredEntry], known: Iterable[Fact], *, bytes_max: int, of_a_kind: int) -> list[Fact]:
    """What is pinned of the work in these rows, beside what is known already.

    `bytes_max` is for a fact, `of_a_kind` for all denials, or all failed approaches, together.
    """
    calls = {e.payload["id"]: e.payload for e in entries if e.entry_type is EntryType.TOOL_USE}
    found = [_own(entry, bytes_max) for entry in entries if entry.payload.get("subtype") == PIN_SUBTYPE]
    denials: dict[str, Fact] = {}
    failures: dict[str, Fact] = {}
    for entry in entries:
        if entry.entry_type is not EntryType.TOOL_RESULT:
            continue
        call = calls.get(entry.payload["tool_use_id"])
        if call is None:
            continue
        what = _call(call)
        if entry.extra.get("declined"):
            denials[what] = Fact("denial", f"{what} was not allowed: {_reason(entry)}", entry.sequence)
        elif entry.payload["is_error"]:
            failures[what] = Fact("failed_approach", f"{what} failed: {_reason(entry)}", entry.sequence)
        else:
            failures.pop(what, None)  # It worked in the end.
            if call["name"] in (EXIT, ASKING):
                found.append(_decided(call, entry, bytes_max))
    seen = {fact.text for fact in known}
    fresh = [[fact for fact in kind.values() if fact.text not in seen] for kind in (denials, failures)]
    newest = [fact for kind in fresh for fact in _newest(kind, of_a_kind)]
    return [*(fact for fact in found if fact.text not in seen), *newest]


def _newest(facts: Sequence[Fact], bytes_max: int) -> list[Fact]:
    taken = 0
    while taken < min(len(facts), OF_A_KIND_MAX) and bytes_max > 0:
        taken += 1
        bytes_max -= len(facts[-taken].text.encode("utf-8", "replace"))
    return list(facts[len(facts) - taken :])


def _own(entry: StoredEntry, bytes_max: int) -> Fact:
    return _fact(str(entry.payload.get("kind")), str(entry.payload.get("text")), entry, bytes_max)


def _decided(call: dict[str, Any], entry: StoredEntry, bytes_max: int) -> Fact:
    """A plan that the person approved, or what they answered."""
    if call["name"] == EXIT:
        return _fact("success_criterion", str(call["input"].get("plan", "")), entry, bytes_max)
    return _fact("answer", entry.payload["content"], entry, bytes_max)


def _fact(kind: str, text: str, entry: StoredEntry, bytes_max: int) -> Fact:
    return Fact(plain(kind), plain(clipped(text.strip(), bytes_max // 4)), entry.sequence)


def _call(call: dict[str, Any]) -> str:
    return plain(f"{call['name']} {clipped(encode(call['input']).decode(), INPUT_CHARACTERS_MAX)}")


def _reason(entry: StoredEntry) -> str:
    return plain(clipped(" ".join(entry.payload["content"].split()), REASON_CHARACTERS_MAX))
