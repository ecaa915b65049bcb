"""What does one simple command say? Its assignments, words and redirections."""

import re
from abc import abstractmethod

from daedal.permissions.shell.atoms import Atom, words_of
from daedal.permissions.shell.script import Command, Redirect, Word
from daedal.permissions.shell.tokens import TokenReader
from daedal.permissions.shell.words import METACHARACTERS

COMMANDS_MAX = 1000
_ASSIGNMENT = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)(\[[0-9]*\])?\+?=")


class SimpleReader(TokenReader):
    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.commands: list[Command] = []
        self.starts: set[int] = set()
        """Where simple commands and tests begin, in the text without line continuations."""
        self.assigned: list[tuple[str, Word]] = []
        self._within: tuple[str, ...] = ()
        self._scope: tuple[int, ...] = ()
        self._joined = ";"
        self._chain = 0
        self._follows = 0

    @abstractmethod
    def _function_body(self) -> None:
        """Reads what follows the name of a function."""

    def _placed(self, words: list[Word], assignments: list[tuple[str, Word]], redirects: list[Redirect]) -> Command:
        """A command where the reader stands. Its lists are filled while it is read."""
        return Command(
            words=words,
            assignments=assignments,
            redirects=redirects,
            within=self._within,
            scope=self._scope,
            joined=self._joined,
            chain=self._chain,
            follows=self._follows,
        )

    def _simple(self, start: int | None) -> None:
        if len(self.commands) >= COMMANDS_MAX:
            raise self.fail("more commands than can be checked")
        words: list[Word] = []
        assignments: list[tuple[str, Word]] = []
        redirects: list[Redirect] = []
        begin = self.at
        self.commands.append(self._placed(words, assignments, redirects))
        while True:
            self._space()
            if self._redirect(redirects):
                continue
            if not words and self._assignment(assignments):
                continue
            at = self.at
            atoms = self.atoms()
            if not atoms:
                break
            if not words:
                self.starts.add(at if start is None else start)
            words += words_of(atoms)
        if self.at == begin:
            raise self.fail(f"`{self.peek() or 'the end'}` where a command should be")
        if self.peek() == "(":
            if len(words) != 1 or assignments or redirects:
                raise self.fail("a bracket where none can stand")
            self.commands.pop()
            self.starts.discard(begin)
            self._function_body()

    def _assignment(self, assignments: list[tuple[str, Word]]) -> bool:
        match = _ASSIGNMENT.match(self.text, self.at)
        if match is None:
            return False
        self.at = match.end()
        start = self.at
        if self.peek() == "(":
            self._array()
            value = Word(raw=self.text[start : self.at], text=None)
        else:
            value = self._value()
        if match[0] != f"{match[1]}=":
            # Appending to a variable, or setting one element of it, leaves a value that only the shell knows.
            value = Word(raw=value.raw, text=None)
        self.assigned.append((match[1], value))
        assignments.append((match[1], value))
        return True

    def _value(self) -> Word:
        atoms = self.atoms()
        if any(atom.text and not atom.is_quoted and "~" in atom.text for atom in atoms):
            # Tildes expand after every colon of an assignment.
            atoms = [Atom(atom.raw, is_quoted=True) if atom.text and "~" in atom.text else atom for atom in atoms]
        value = words_of(atoms, braces=False)[0]
        return Word(raw=value.raw, text=value.text, pieces=value.pieces)

    def _array(self) -> None:
        self.at += 1
        while True:
            self._space(newlines=True)
            if self.peek() == ")":
                self.at += 1
                if self.peek() and self.peek() not in METACHARACTERS:
                    raise self.fail("text right after an array")
                return
            if self.peek() == "[":
                raise self.fail("an array subscript")
            if not self.atoms():
                raise self.fail("an array that cannot be read")

    def _redirects_of_compound(self, first: int) -> None:
        """Put before the commands of the compound: the shell opens the files before it runs the first of them."""
        redirects: list[Redirect] = []
        self._space()
        while self._redirect(redirects):
            self._space()
        if redirects:
            self.commands.insert(first, self._placed([], [], redirects))
