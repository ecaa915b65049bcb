"""What do the shell's loops, conditions, groups and tests hold?"""

from abc import abstractmethod
from collections.abc import Callable

from daedal.permissions.shell.atoms import words_of
from daedal.permissions.shell.script import Word
from daedal.permissions.shell.simple import SimpleReader
from daedal.permissions.shell.words import METACHARACTERS

_REGEX_ENDS = METACHARACTERS - frozenset("()|")


class CompoundReader(SimpleReader):
    def __init__(self, text: str) -> None:
        super().__init__(text)
        self._compounds: dict[str, Callable[[], None]] = {
            "{": self._group,
            "if": self._if,
            "while": self._while,
            "until": self._while,
            "for": self._for,
            "select": self._for,
            "case": self._case,
            "[[": self._test,
            "function": self._function,
            "coproc": self._coproc,
        }

    @abstractmethod
    def _list(self, ends: tuple[str, ...]) -> int:
        """Reads commands up to one of the reserved words; how many there were."""

    @abstractmethod
    def _command(self, start: int | None) -> None:
        """Reads one command; `start` is where the second reader sees it begin, if not at its first word."""

    def _inside(self, label: str, ends: tuple[str, ...]) -> None:
        within = self._within
        self._within = (*within, label)
        if self._list(ends) == 0:
            raise self.fail("an empty body")
        self._within = within
        if self._reserved() not in ends:
            raise self.fail(f"no `{ends[0]}` where it should be")

    def _expect(self, word: str) -> None:
        self._space(newlines=True)
        if self._reserved() != word:
            raise self.fail(f"no `{word}` where it should be")
        self.at += len(word)

    def _group(self) -> None:
        self._expect("{")
        self._inside("group", ("}",))
        self._expect("}")

    def _if(self) -> None:
        self._expect("if")
        self._inside("condition", ("then",))
        self._expect("then")
        self._inside("branch", ("fi", "else", "elif"))
        while self._reserved() == "elif":
            self._expect("elif")
            self._inside("condition", ("then",))
            self._expect("then")
            self._inside("branch", ("fi", "else", "elif"))
        if self._reserved() == "else":
            self._expect("else")
            self._inside("branch", ("fi",))
        self._expect("fi")

    def _while(self) -> None:
        self.at += 5
        self._inside("loop", ("do",))
        self._do()

    def _do(self) -> None:
        self._expect("do")
        self._inside("loop", ("done",))
        self._expect("done")

    def _for(self) -> None:
        keyword = self._reserved() or ""
        self.at += len(keyword)
        self._space()
        if self.text.startswith("((", self.at):
            variable = self._for_sum()
        else:
            variable = self._for_words(is_asking=keyword == "select")
        self._space(newlines=True)
        self._do()
        if variable is not None:
            # Whether the loop ran at all, and where it ended, only the shell knows.
            self._assign_for([(variable, Word(raw="", text=None))])

    def _for_sum(self) -> None:
        end = self.text.find("))", self.at)
        clauses = self.text[self.at + 2 : end].split(";") if end > 0 else []
        if len(clauses) != 3:
            raise self.fail("a loop that cannot be read")
        whole, rest = self.text, end + 2
        for clause in clauses:
            self.text, self.at = f"(({clause}))", 0
            self.sum()
        self.text, self.at = whole, rest
        self._space()
        if self.peek() == ";":
            self.at += 1

    def _for_words(self, *, is_asking: bool) -> str:
        name = self.atoms()
        if len(name) != 1 or not (name[0].text or "").isidentifier() or name[0].is_quoted:
            raise self.fail("a loop that cannot be read")
        variable = name[0].text or ""
        self._space(newlines=True)
        if self._reserved() == "in":
            self.at += 2
            self._space()
            words: list[Word] = []
            while atoms := self.atoms():
                words += words_of(atoms)
                self._space()
        else:
            words = [Word(raw='"$@"', text=None)]
        if is_asking:
            # `select` leaves the variable empty where the answer is none of the words.
            words.append(Word(raw="", text=None))
        values = [(variable, word) for word in words]
        self.assigned += values
        self._assign_for(values)
        self._space()
        if self.peek() == ";":
            self.at += 1
        return variable

    def _assign_for(self, values: list[tuple[str, Word]]) -> None:
        """The loop's own assignment, so that whoever follows variables knows the values that its body sees."""
        within, self._within = self._within, (*self._within, "for")
        self.commands.append(self._placed([], values, []))
        self._within = within

    def _case(self) -> None:
        self._expect("case")
        self._space()
        if not self.atoms():
            raise self.fail("a case that cannot be read")
        self._expect("in")
        while True:
            self._space(newlines=True)
            if self._reserved() == "esac":
                break
            self._patterns()
            within = self._within
            self._within = (*within, "branch")
            self._list(("esac",))
            self._within = within
            self._space(newlines=True)
            if self._operator(";;&", ";;", ";&") is None and self._reserved() != "esac":
                raise self.fail("a case that cannot be read")
        self._expect("esac")

    def _patterns(self) -> None:
        if self.peek() == "(":
            self.at += 1
        while True:
            self._space()
            if not self.atoms():
                raise self.fail("a case that cannot be read")
            self._space()
            if self.peek() not in ("|", ")"):
                raise self.fail("a case that cannot be read")
            self.at += 1
            if self.text[self.at - 1] == ")":
                return

    def _test(self) -> None:
        """`[[ … ]]` as one command whose words are its operands and operators."""
        self.starts.add(self.at)
        words: list[Word] = []
        self.commands.append(self._placed(words, [], []))
        is_regex = False
        while True:
            self._space(newlines=True)
            operator = None if is_regex else self._operator("&&", "||", "(", ")", "<", ">")
            if operator is not None:
                words.append(Word(raw=operator, text=operator))
                continue
            atoms = self.atoms(_REGEX_ENDS if is_regex else METACHARACTERS)
            if not atoms:
                raise self.fail("a test that cannot be read")
            words += words_of(atoms, braces=False)
            is_regex = words[-1].raw == "=~"
            if words[-1].raw == "]]":
                return

    def _function(self) -> None:
        self._expect("function")
        self._space()
        if not self.atoms():
            raise self.fail("a function that cannot be read")
        self._space()
        self._function_body()

    def _function_body(self) -> None:
        self.doubts.append("a function definition")
        if self.peek() == "(":
            self.at += 1
            self._space()
            if self.peek() != ")":
                raise self.fail("a function that cannot be read")
            self.at += 1
        self._space(newlines=True)
        within = self._within
        self._within = (*within, "function")
        self._command(None)
        self._within = within

    def _coproc(self) -> None:
        self.doubts.append("a co-process")
        start = self.at
        self._expect("coproc")
        self._space()
        within = self._within
        self._within = (*within, "coproc")
        self._command(start)
        self._within = within
