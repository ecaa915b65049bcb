"""What stands between the words? Blanks, comments, operators, redirections, and the bodies of here-documents."""

import re
from typing import NamedTuple

from daedal.permissions.shell.atoms import words_of
from daedal.permissions.shell.script import Redirect, Word
from daedal.permissions.shell.words import WordReader

_REDIRECT = re.compile(r"([0-9]*)(&>>|&>|<<<|<<-|<<|<>|<&|>>|>\||>&|<|>)")
_SUBSTITUTES = re.compile(r"\$[({\[]|`")
_RESERVED = re.compile(r"(?:[a-z]+|[{}!]|\[\[|-p)(?=[\s|&;()<>]|$)")


class Heredoc(NamedTuple):
    """A here-document whose body is still to come: where the finished redirection will be put."""

    redirects: list[Redirect]
    at: int
    delimiter: str
    is_quoted: bool


class TokenReader(WordReader):
    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.doubts: list[str] = []
        self._heredocs: list[Heredoc] = []

    def _space(self, *, newlines: bool = False) -> None:
        """Skips blanks and a comment; with `newlines` also line ends, where pending here-documents are taken in."""
        while True:
            self.continued()
            letter = self.text[self.at : self.at + 1]
            if letter and letter in " \t":
                self.at += 1
            elif letter == "#":
                end = self.text.find("\n", self.at)
                self.at = len(self.text) if end < 0 else end
            elif letter == "\n" and newlines:
                self.at += 1
                self._take_heredocs()
            else:
                return

    def _take_heredocs(self) -> None:
        pending = self._heredocs[:]
        self._heredocs.clear()
        for redirects, at, delimiter, is_quoted in pending:
            body = self._body(delimiter, strip=redirects[at].operator == "<<-")
            if not is_quoted and _SUBSTITUTES.search(body):
                self.doubts.append("an unquoted here-document that may run commands")
            if not is_quoted and re.search(r"\\\n", body):
                self.doubts.append("a line continuation in an unquoted here-document")
            old = redirects[at]
            redirects[at] = Redirect(operator=old.operator, target=old.target, descriptor=old.descriptor, body=body)

    def _body(self, delimiter: str, *, strip: bool) -> str:
        start = self.at
        while self.at < len(self.text):
            end = self.text.find("\n", self.at)
            end = len(self.text) if end < 0 else end
            line, begin = self.text[self.at : end], self.at
            self.at = min(end + 1, len(self.text))
            if (line.lstrip("\t") if strip else line) == delimiter:
                self.literal.append((start, end))
                return self.text[start:begin]
        raise self.fail("a here-document without its end")

    def _redirect(self, redirects: list[Redirect]) -> bool:
        self._join_operator()
        match = _REDIRECT.match(self.text, self.at)
        if match is None or (self.text.startswith("(", match.end()) and match[2] in ("<", ">") and not match[1]):
            return False
        start, self.at = self.at, match.end()
        operator = match[2]
        self._space()
        atoms = self.atoms()
        if not atoms:
            raise self.fail(f"`{operator}` without a target")
        target = words_of(atoms, braces=False)[0]
        if any(atom.text and not atom.is_quoted and "{" in atom.text for atom in atoms) and operator[:2] != "<<":
            target = Word(raw=target.raw, text=None)
        redirects.append(Redirect(operator=operator, target=target, descriptor=int(match[1]) if match[1] else None))
        if operator in ("<<", "<<-"):
            if target.text is None:
                raise self.fail("a here-document whose end only the shell knows")
            quoted = any(atom.is_quoted for atom in atoms)
            self.literal.append((start, self.at))
            self._heredocs.append(Heredoc(redirects, len(redirects) - 1, target.text, quoted))
        return True

    def _reserved(self) -> str | None:
        """The unquoted word that starts here, where it could be a reserved one."""
        self.continued()
        match = _RESERVED.match(self.text, self.at)
        return match[0] if match else None

    def _join_operator(self) -> None:
        """Takes line continuations out of the operator that may stand here."""
        for offset in range(3):
            self.peek(offset)

    def _operator(self, *operators: str) -> str | None:
        self._join_operator()
        for operator in operators:
            if self.text.startswith(operator, self.at):
                self.at += len(operator)
                return operator
        return None
