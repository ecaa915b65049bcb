"""Where does a word end, and what does it say once quotes are gone? Bash's rules for a word, not its grammar."""

import re
from abc import ABC, abstractmethod

from daedal.permissions.shell.ansi import decoded
from daedal.permissions.shell.atoms import Atom, Unreadable

METACHARACTERS = frozenset(" \t\n|&;()<>")
_OPERATORS = frozenset("|&;()<>")
_PLAIN = re.compile(r"[^\s|&;()<>\\'\"$`\x00-\x20\x7f]+")
_QUOTED = re.compile(r"[^\\\"$`]+")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*|[0-9]|[@*#?$!-]")
_PARAMETER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*|[0-9]+|[@*#?$!-]")
_SUBSCRIPT = re.compile(r"\[(?:@|\*|-?[0-9]+)\]")
_SLICE = re.compile(r":(?![-=+?])[ 0-9:-]*")
_OPERATOR = re.compile(r":?[-+?]|##?|%%?|//?|/#|/%|\^\^?|,,?")
_TRANSFORM = re.compile(r"@[QUuL]")
_SUM = re.compile(r"[A-Za-z0-9_ \t\n+*/%<>=!&|^~?:,$()-]*")
_SUM_NAME = re.compile(r"(?<![A-Za-z0-9_])[A-Za-z_][A-Za-z0-9_]*")


class WordReader(ABC):
    """A text and the place reached in it. Line continuations are taken out of the text as they are met."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at: int = 0
        self.literal: list[tuple[int, int]] = []
        """Where text stands that runs nothing, although other readers stumble over it."""
        self.counted: set[str] = set()
        """Variables whose value arithmetic evaluates, so that a subscript in it could run a command."""

    @abstractmethod
    def substitution(self, closer: str, label: str) -> None:
        """Reads commands from here up to and including `closer`, or to the end of the text where it is empty."""

    def fail(self, what: str) -> Unreadable:
        return Unreadable(what)

    def continued(self) -> None:
        while self.text.startswith("\\\n", self.at):
            self.text = self.text[: self.at] + self.text[self.at + 2 :]

    def peek(self, offset: int = 0) -> str:
        """The character so far ahead, with no line continuation in between. Looks only past operators: after a quote or
        a backslash the same two characters mean something else."""
        at = self.at
        if all(letter in _OPERATORS for letter in self.text[at : at + offset]):
            self.at += offset
            self.continued()
            self.at = at
        return self.text[at + offset : at + offset + 1]

    def atoms(self, stop: frozenset[str] = METACHARACTERS) -> list[Atom]:
        """The atoms of the word that starts here; empty where none does."""
        found: list[Atom] = []
        while letter := self.peek():
            if letter in stop and not (letter in "<>" and self.peek(1) == "("):
                break
            start = self.at
            if plain := _PLAIN.match(self.text, self.at):
                self.at = plain.end()
                found.append(Atom(plain[0], plain[0]))
            elif letter == "\\":
                if self.at + 1 >= len(self.text):
                    raise self.fail("a backslash at the very end")
                self.at += 2
                found.append(Atom(self.text[start : self.at], self.text[start + 1], is_quoted=True))
            elif letter == "'":
                self.at = self._closing_quote(start + 1) + 1
                raw = self.text[start : self.at]
                found.append(Atom(raw, raw[1:-1], is_quoted=True))
            elif letter == '"':
                found += self._double_quoted()
            elif letter in "$`":
                found.append(self._expansion(is_quoted=False))
            elif letter in "<>":
                self.at += 2
                self.substitution(")", "process substitution")
                found.append(Atom(self.text[start : self.at], is_quoted=True))
            elif letter in METACHARACTERS:
                self.at += 1
                found.append(Atom(letter, letter))
            else:
                raise self.fail("an unquoted blank that the shell does not take for one")
        return found

    def _closing_quote(self, start: int) -> int:
        end = self.text.find("'", start)
        if end < 0:
            raise self.fail("a quote that is never closed")
        return end

    def _double_quoted(self) -> list[Atom]:
        found = [Atom('"', "", is_quoted=True)]
        self.at += 1
        while letter := self.peek():
            start = self.at
            if letter == '"':
                self.at += 1
                return [*found, Atom('"', "", is_quoted=True)]
            if plain := _QUOTED.match(self.text, self.at):
                self.at = plain.end()
                found.append(Atom(plain[0], plain[0], is_quoted=True))
            elif letter == "\\":
                self.at += 2
                raw = self.text[start : self.at]
                found.append(Atom(raw, raw[1:] if raw[1:] in '$`"\\' else raw, is_quoted=True))
            else:
                found.append(self._expansion(is_quoted=True))
        raise self.fail("a quote that is never closed")

    def _expansion(self, *, is_quoted: bool) -> Atom:
        start = self.at
        if self.text[start] == "`":
            self._backticks()
            return Atom(self.text[start : self.at], is_quoted=is_quoted)
        self.at += 1
        match self.peek():
            case "'" if not is_quoted:
                return self._ansi(start)
            case '"' if not is_quoted:
                raise self.fail('a translated string $"…"')
            case "(":
                if self.peek(1) == "(":
                    self.sum()
                else:
                    self.at += 1
                    self.substitution(")", "substitution")
            case "[":
                raise self.fail("the old arithmetic $[…]")
            case "{":
                variable = self._parameter(is_quoted=is_quoted)
                return Atom(self.text[start : self.at], variable=variable, is_quoted=is_quoted)
            case _:
                return self._variable(start, is_quoted=is_quoted)
        return Atom(self.text[start : self.at], is_quoted=is_quoted)

    def _variable(self, start: int, *, is_quoted: bool) -> Atom:
        name = _NAME.match(self.text, self.at)
        if name is None:
            return Atom("$", "$", is_quoted=True)
        while self.text.startswith("\\\n", name.end()):
            self.text = self.text[: name.end()] + self.text[name.end() + 2 :]
            name = _NAME.match(self.text, self.at) or name
        self.at = name.end()
        return Atom(self.text[start : self.at], variable=name[0], is_quoted=is_quoted)

    def _ansi(self, start: int) -> Atom:
        end = start + 2
        while (end := self.text.find("'", end)) >= 0 and _escaped(self.text, start + 2, end):
            end += 1
        if end < 0:
            raise self.fail("a quote that is never closed")
        self.at = end + 1
        self.literal.append((start, self.at))
        return Atom(self.text[start : self.at], decoded(self.text[start + 2 : end]), is_quoted=True)

    def _backticks(self) -> None:
        end = self.text.find("`", self.at + 1)
        if end < 0:
            raise self.fail("a backtick that is never closed")
        if "\\" in self.text[self.at : end]:
            raise self.fail("a backslash between backticks")
        whole, self.text = self.text, self.text[:end]
        self.at += 1
        self.substitution("", "substitution")
        self.text, self.at = whole, end + 1

    def sum(self) -> None:
        """Arithmetic from `((` up to `))`: numbers, names and operators only."""
        match = _SUM.match(self.text, self.at + 2)
        inner = match[0] if match else ""
        depth = 0
        for at, letter in enumerate(inner):
            depth += (letter == "(") - (letter == ")")
            if depth < 0:
                if inner[at + 1 : at + 2] != ")" or "$(" in inner[:at]:
                    break
                self.counted.update(_SUM_NAME.findall(inner[:at]))
                self.at += 2 + at + 2
                return
        raise self.fail("arithmetic with more than numbers, names and operators")

    def _parameter(self, *, is_quoted: bool) -> str | None:
        """`${…}` from its brace on. The name where it is a plain one; what could run or assign is refused."""
        self.at += 1
        text, length = self.text, self.text.startswith("#", self.at)
        if length and not text.startswith("#}", self.at):
            self.at += 1
        name = _PARAMETER.match(text, self.at)
        if name is None or (name[0] == "!" and not text.startswith("}", name.end())):
            raise self.fail("an indirect or unknown parameter expansion")
        self.at = name.end()
        if subscript := _SUBSCRIPT.match(text, self.at):
            self.at = subscript.end()
        if text.startswith("}", self.at):
            self.at += 1
            return None if length or subscript else name[0]
        if length:
            raise self.fail("an unknown parameter expansion")
        if rest := _TRANSFORM.match(text, self.at) or _SLICE.match(text, self.at):
            self.at = rest.end()
        elif operator := _OPERATOR.match(text, self.at):
            self.at = operator.end()
            self._operand(is_quoted=is_quoted)
        if not self.text.startswith("}", self.at):
            raise self.fail("an unknown parameter expansion")
        self.at += 1
        return None

    def _operand(self, *, is_quoted: bool) -> None:
        while (letter := self.text[self.at : self.at + 1]) and letter != "}":
            if letter in "$`":
                self._expansion(is_quoted=True)
            elif letter == "\\" and self.text[self.at + 1 : self.at + 2] not in ("\n", ""):
                self.at += 2
            elif letter == '"' and not is_quoted:
                self._double_quoted()
            elif letter == "'" and not is_quoted:
                self.at = self._closing_quote(self.at + 1) + 1
            elif letter in "'\"\\{<>\n":
                raise self.fail("quotes inside a parameter expansion")
            else:
                self.at += 1


def _escaped(text: str, start: int, end: int) -> bool:
    """Whether an odd number of backslashes stands right before `end`."""
    run = end
    while run > start and text[run - 1] == "\\":
        run -= 1
    return (end - run) % 2 == 1
