"""What has the person answered to one question so far? What is chosen, what is written, and whether it will do."""

from daedal.protocol.catalogue import say
from daedal.protocol.forms import choices, value
from daedal.protocol.inquiries import Question
from daedal.tui.editing.buffer import Buffer
from daedal.tui.editing.emacs import edit
from daedal.tui.terminal.keys import Key


class Reply:
    """`lines` are what one can stand on: the choices, and the field below them where there is one."""

    def __init__(self, question: Question) -> None:
        self.question = question
        self.at = 0
        self.buffer = Buffer()
        self._chosen: set[int] = set()
        self._is_taken = False
        self.own_at = len(question.options) if question.is_other or not question.options else -1
        """Where the field is; -1 where there is none."""
        self.lines = [*range(len(question.options)), *([self.own_at] if self.own_at >= 0 else [])]
        self._begin()

    def _begin(self) -> None:
        """With what the form gives for want of another answer."""
        given = (self.question.form or {}).get("default")
        if given is None:
            return
        told = ("yes" if given else "no") if isinstance(given, bool) else str(given)
        names = dict(choices(self.question.form or {}))
        labels = [choice.label for choice in self.question.options]
        if names.get(told) in labels:
            self.at = labels.index(names[told])
        elif self.own_at >= 0:
            self.buffer.reset(told)

    @property
    def is_writing(self) -> bool:
        return self.at == self.own_at

    @property
    def preview(self) -> str:
        """What choosing the one that one stands on would look like."""
        return "" if self.is_writing else (self.question.options[self.at].preview or "")

    def is_chosen(self, number: int) -> bool:
        if number == self.own_at:
            return bool(self.buffer.text) and (self.question.multi_select or self._is_taken)
        return number in self._chosen

    @property
    def answers(self) -> list[str]:
        written = self.buffer.text.strip()
        if not self.question.options or (self._is_taken and not self.question.multi_select):
            return [written] if written else []
        chosen = [self.question.options[number].label for number in sorted(self._chosen)]
        return [*chosen, written] if written and self.question.multi_select else chosen

    @property
    def is_answered(self) -> bool:
        return bool(self.answers)

    @property
    def told(self) -> str:
        return "•••" if self.question.is_secret else ", ".join(self.answers)

    def key(self, key: Key) -> bool:
        """Whether it meant something to the choices or the field."""
        match key.name:
            case "up" | "ctrl+p":
                self.at = self.lines[(self.lines.index(self.at) - 1) % len(self.lines)]
            case "down" | "ctrl+n":
                self.at = self.lines[(self.lines.index(self.at) + 1) % len(self.lines)]
            case "paste" if self.is_writing:
                self.buffer.insert(" ".join(key.text.split("\n")).strip())
            case _ if self.is_writing:
                return edit(self.buffer, key)
            case " " if self.question.multi_select:
                self._chosen ^= {self.at}
            case _:
                return False
        return True

    def number(self, name: str) -> bool:
        """A choice by its number; whether that was all there is to choose."""
        if not name.isdecimal() or not 0 < int(name) <= len(self.lines):
            return False
        self.at = self.lines[int(name) - 1]
        if self.is_writing:
            return False
        if self.question.multi_select:
            self._chosen ^= {self.at}
            return False
        self._choose()
        return True

    def _choose(self) -> None:
        self._chosen, self._is_taken = {self.at}, False

    def take(self) -> str:
        """Enter. What is wrong, or nothing."""
        if self.is_writing:
            self._is_taken = bool(self.buffer.text.strip())
            if self._is_taken and not self.question.multi_select:
                self._chosen = set()
        elif not self.question.multi_select:
            self._choose()
        elif not self._chosen:
            self._chosen = {self.at}
        return self.complaint()

    def complaint(self) -> str:
        if not self.is_answered:
            return say("tui.inquiry.required") if self.question.is_required else ""
        if self.question.form is None or self.question.options:
            return ""
        try:
            value(self.question.form, self.answers[0])
        except ValueError as wrong:
            return str(wrong)
        return ""
