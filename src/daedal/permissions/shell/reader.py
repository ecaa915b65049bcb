"""Which simple commands does a text hold? Bash's grammar, read strictly: what is not certain is not read.

Every command is listed with what surrounds it. Reading stops at the first thing that cannot be read for certain; what
was found up to there is kept, so that a rule that forbids something still sees it.
"""

from daedal.permissions.shell.compound import CompoundReader
from daedal.permissions.shell.script import Command

DEPTH_MAX = 40
"""Of nesting. Deeper text is refused: nobody reads it, and the reader is recursive."""

_RESERVED_ENDS = frozenset({"then", "else", "elif", "fi", "do", "done", "esac", "in", "}"})


class Reader(CompoundReader):
    def __init__(self, text: str) -> None:
        super().__init__(text)
        self._scopes = 0
        self._chains = 0

    def read(self) -> None:
        self._list(())
        if self.at < len(self.text):
            raise self.fail(f"`{self.text[self.at]}` where no command can start")
        if self._heredocs:
            raise self.fail("a here-document without its end")

    def _list(self, ends: tuple[str, ...]) -> int:
        """Commands up to (not including) one of the reserved words or operators in `ends`; how many there were."""
        count = 0
        while True:
            self._space(newlines=True)
            if self.at >= len(self.text) or self.text[self.at] == ")" or self.text.startswith(";;", self.at):
                return count
            if self._reserved() in ends or self._reserved() in _RESERVED_ENDS:
                return count
            self._and_or()
            count += 1
            self._space()
            if self.text.startswith(";;", self.at) or self.text.startswith(";&", self.at):
                return count
            if self.peek() in (";", "&"):
                self.at += 1
            elif self.peek() not in ("\n", "", ")") and self._reserved() not in _RESERVED_ENDS:
                raise self.fail(f"`{self.peek()}` where a command should end")
            self._joined = ";"

    def _and_or(self) -> None:
        first, outer = len(self.commands), self._chain
        self._chains += 1
        self._chain, self._follows = self._chains, outer
        while True:
            self._pipeline()
            self._space()
            operator = self._operator("&&", "||")
            if operator is None:
                break
            self._joined, self._follows = operator, self._chain
            self._space(newlines=True)
        self._chain = outer
        if self.peek() == "&" and self.peek(1) not in ("&", ">"):
            self._relabel(first, "background")

    def _relabel(self, first: int, label: str) -> None:
        """What stands before `&` turned out to run in a subshell of its own."""
        self._scopes += 1
        depth = len(self._within)
        for at in range(first, len(self.commands)):
            old = self.commands[at]
            within = (*old.within[:depth], label, *old.within[depth:])
            scope = (*self._scope, self._scopes, *old.scope[len(self._scope) :])
            self.commands[at] = _moved(old, within, scope)

    def _pipeline(self) -> None:
        joined, follows, within = self._joined, self._follows, self._within
        start, is_negated = self._prefix()
        self._within = (*within, "not") if is_negated else within
        first = len(self.commands)
        self._command(start)
        self._space()
        is_pipe = False
        while not self.text.startswith("||", self.at) and self._operator("|&", "|"):
            is_pipe = True
            self._relabel(first, "pipe")
            self._space(newlines=True)
            first, self._joined, self._follows = len(self.commands), joined, follows
            self._command(None)
            self._space()
        if is_pipe:
            self._relabel(first, "pipe")
        self._within = within

    def _prefix(self) -> tuple[int | None, bool]:
        """`!` and `time` before a pipeline: where the second reader sees it start, and whether it is negated."""
        start, is_negated = None, False
        while (word := self._reserved()) in ("!", "time"):
            if word == "time" and start is None:
                start = self.at
            is_negated = is_negated or word == "!"
            self.at += len(word)
            self._space()
            if word == "time" and self._reserved() == "-p":
                self.at += 2
                self._space()
        return start, is_negated

    def _command(self, start: int | None) -> None:
        if len(self._within) > DEPTH_MAX:
            raise self.fail("commands nested too deeply")
        compound = self._bracket if self.peek() == "(" else self._compounds.get(self._reserved() or "")
        if compound is None:
            return self._simple(start)
        first, joined, follows = len(self.commands), self._joined, self._follows
        compound()
        self._joined, self._follows = joined, follows
        return self._redirects_of_compound(first)

    def _bracket(self) -> None:
        if self.peek(1) == "(":
            self.sum()
        else:
            self.at += 1
            self.substitution(")", "subshell")

    def substitution(self, closer: str, label: str) -> None:
        within, scope, heredocs = self._within, self._scope, self._heredocs
        joined, follows = self._joined, self._follows
        start = self.at
        self._scopes += 1
        self._within, self._scope = (*within, label), (*scope, self._scopes)
        if label != "subshell":
            # Its commands run before the one that it stands in, whatever that one changes.
            self._joined = ";"
        self._heredocs = heredocs if label == "subshell" else []
        if len(self._within) > DEPTH_MAX:
            raise self.fail("commands nested too deeply")
        self._list(())
        self._space(newlines=True)
        if (closer and self.peek() != closer) or (not closer and self.at < len(self.text)):
            raise self.fail("a bracket that is never closed")
        self.at += len(closer)
        if label != "subshell" and (self._heredocs or (heredocs and "\n" in self.text[start : self.at])):
            raise self.fail("a here-document without its end")
        self._within, self._scope, self._heredocs = within, scope, heredocs
        self._joined, self._follows = joined, follows


def _moved(command: Command, within: tuple[str, ...], scope: tuple[int, ...]) -> Command:
    return Command(
        words=command.words,
        assignments=command.assignments,
        redirects=command.redirects,
        within=within,
        scope=scope,
        joined=command.joined,
        chain=command.chain,
        follows=command.follows,
    )
