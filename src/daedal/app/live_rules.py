"""Which rules hold in a thread that lives, and what did the person change in it? A change counts with the next call.

A thread has no rules yet before its first turn: what is changed until then waits for them.
"""

from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

if TYPE_CHECKING:
    from daedal.app.gating import ThreadRules
    from daedal.permissions import RuleSet, RulesPolicy


class LiveRules:
    """Of all threads of a house."""

    def __init__(self) -> None:
        self._books: WeakValueDictionary[str, ThreadRules] = WeakValueDictionary()
        self._changes: list[tuple[str | None, dict[str, Any]]] = []
        """In their order, each with the thread that it is about; None is about all of them."""

    def keep(self, thread_id: str, book: "ThreadRules") -> None:
        self._books[thread_id] = book
        book.update(self._about(thread_id))

    def change(self, thread_id: str | None, behavior: str, rule: str, *, remove: bool) -> None:
        """`rule` is one. Without a thread it is about all of them, also those that begin later."""
        name, bracket, content = rule.partition("(")
        value = {"toolName": name, "ruleContent": content.removesuffix(")")} if bracket else {"toolName": name}
        change = {
            "type": "removeRules" if remove else "addRules",
            "rules": [value],
            "behavior": behavior,
            "destination": "session",
        }
        self._changes.append((thread_id, change))
        for known, book in list(self._books.items()):
            if thread_id in (None, known):
                book.update([change])

    def policy(self, thread_id: str) -> "RulesPolicy | None":
        """None before the thread's first turn."""
        book = self._books.get(thread_id)
        return None if book is None else book.policy

    def changed(self, thread_id: str, rules: "RuleSet") -> "RuleSet":
        """Those of a thread before its first turn."""
        from daedal.permissions import with_update

        for change in self._about(thread_id):
            rules = with_update(rules, change)
        return rules

    def _about(self, thread_id: str) -> list[dict[str, Any]]:
        return [change for about, change in self._changes if about in (None, thread_id)]
