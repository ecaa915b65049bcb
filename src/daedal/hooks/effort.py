"""How long can a regular expression take? An upper bound on the ways to try it, from a glance at its form.

The matcher backtracks, cannot be interrupted and holds up the whole process, so it is only let loose on what this
bound calls harmless. It overestimates freely: what it finds doubtful still runs, only elsewhere and with a deadline.
"""

from math import inf

DEPTH_MAX = 20
QUANTIFIERS = "*+{"


def ways(pattern: str, length: int) -> float:
    """At most so many ways to match a text of `length` characters; infinite where the form does not tell."""
    reader = _Reader(pattern, length + 1)
    return (length + 1) * reader.alternatives(depth=0)


class _Reader:
    def __init__(self, pattern: str, choices: int) -> None:
        self._pattern = pattern
        self._choices = choices
        """In how many ways a repetition can end."""
        self._at = 0

    def _peek(self) -> str:
        return self._pattern[self._at : self._at + 1]

    def _take(self) -> str:
        self._at += 1
        return self._pattern[self._at - 1 : self._at]

    def alternatives(self, depth: int) -> float:
        """They are tried one after another, so they add up."""
        total = self._sequence(depth)
        while self._peek() == "|":
            self._take()
            total += self._sequence(depth)
        return total

    def _sequence(self, depth: int) -> float:
        """Each part may be retried for each way of the parts before it, so they multiply."""
        product = 1.0
        while self._peek() not in ("", "|", ")"):
            is_group = self._peek() == "("
            product *= self._quantified(self._atom(depth), is_group=is_group)
        return product

    def _quantified(self, atom: float, *, is_group: bool) -> float:
        mark = self._peek()
        if mark == "?":
            self._take()
            atom += 1
        elif mark and mark in QUANTIFIERS:
            while mark == "{" and self._peek() not in ("", "}"):
                self._take()
            self._take()
            # A repeated group can be cut up in exponentially many ways.
            atom = inf if is_group else self._choices
        else:
            return atom
        if self._peek() == "?":  # lazy
            self._take()
        return atom

    def _atom(self, depth: int) -> float:
        match self._take():
            case "(":
                return self._group(depth + 1)
            case "[":
                while self._peek() not in ("", "]"):
                    if self._take() == "\\":
                        self._take()
                self._take()
            case "\\":
                if self._take() in "123456789k":  # what a group matched, again
                    return inf
            case _:
                pass
        return 1

    def _group(self, depth: int) -> float:
        if depth > DEPTH_MAX:
            self._at = len(self._pattern)
            return inf
        looks_around = False
        if self._peek() == "?":
            self._take()
            if self._take() != ":":
                looks_around = True  # or names the group; both are rare, so they are not told apart
        inside = self.alternatives(depth)
        self._take()
        return inf if looks_around else inside
