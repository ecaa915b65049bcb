"""How does one chat on a terminal that can do nothing? Line by line: a prompt is read, the answer is printed.

For `TERM=dumb`: an editor's shell, a build log, a screen reader that wants no redrawing.
"""

import asyncio
import os
import sys
from contextlib import AsyncExitStack
from typing import Any

from daedal.client import CallFailed
from daedal.protocol.approvals import ApprovalAnswer, ApprovalDecision, ApprovalRequest
from daedal.protocol.catalogue import say
from daedal.protocol.errors import DaedalError
from daedal.protocol.events import TurnCompleted
from daedal.protocol.inquiries import Chosen, InputAnswer, InputRequest
from daedal.protocol.wire import Notification, Request
from daedal.tui.cards.proposal import proposal_rows
from daedal.tui.outside import Outside
from daedal.tui.scroll import Scroll
from daedal.tui.talk import Draft, Talk
from daedal.tui.terminal.visible import visible
from daedal.tui.terminal.widths import Row
from daedal.tui.view import Notice, View
from daedal.tui.wanting import Wanted, wanted_thread

COLUMNS_MAX = 100
SHOWN_ENTRIES_MAX = 20
ANSWERS = {
    "y": ApprovalDecision.ACCEPT,
    "s": ApprovalDecision.ACCEPT_FOR_SESSION,
    "a": ApprovalDecision.ACCEPT_ALWAYS,
}


class PlainChat:
    def __init__(self, outside: Outside, *, wanted: Wanted, prompt: str) -> None:
        self._outside = outside
        self._wanted = wanted
        self._prompt = prompt
        self._view = View()
        self._talk = Talk(self._view, outside.thread)
        self._talk.on_thread = self._opened
        self._scroll = Scroll(self._view)
        self._idle = asyncio.Event()

    async def run(self) -> str:
        """Why it could not be; empty where it could."""
        async with AsyncExitStack() as house:
            try:
                entering = self._outside.connect(on_event=self._see, on_request=self._answer, on_warning=self._warned)
                self._talk.client = await house.enter_async_context(entering)
                await self._talk.open(await wanted_thread(self._talk, self._wanted))
            except (CallFailed, DaedalError, OSError) as trouble:
                return str(trouble)
            self._put([[("", say("tui.plain.welcome", model=self._view.model))]])
            await self._converse()
            return ""

    async def _converse(self) -> None:
        said: str | None = self._prompt or await self._read("> ")
        while said is not None and said.strip() not in ("/exit", "/quit"):
            if said.strip():
                await self._turn(said)
            said = await self._read("> ")

    async def _turn(self, said: str) -> None:
        self._idle.clear()
        self._talk.put(Draft(said, said))
        try:
            await self._talk.say_next()
        except (CallFailed, ConnectionError) as trouble:
            self._talk.queue.clear()
            self._view.put(Notice(str(trouble), "bad"))
            self._show()
            return
        await self._idle.wait()

    def _opened(self) -> None:
        self._scroll.reset(max(len(self._view.entries) - SHOWN_ENTRIES_MAX, 0))
        self._show()

    def _see(self, notification: Notification) -> None:
        self._view.see(notification)
        self._show()
        if isinstance(notification.params, TurnCompleted) and notification.params.thread_id == self._view.thread_id:
            self._idle.set()

    async def _answer(self, request: Request) -> Any:
        match request.params:
            case ApprovalRequest() as asked:
                self._put([*proposal_rows(asked), *_grants(asked)])
                said = (await self._read(say("tui.plain.may_it")) or "").strip()
                decision = ANSWERS.get(said[:1].lower() if len(said) <= 3 else "", ApprovalDecision.DECLINE)
                return ApprovalAnswer(decision=decision, message="" if len(said) <= 3 else said)
            case InputRequest() as asked:
                return await self._inquire(asked)
            case _:
                return None

    async def _inquire(self, asked: InputRequest) -> InputAnswer:
        answers: dict[str, Chosen] = {}
        for question in asked.questions:
            choices: list[Row] = [
                [("", f"  {number} {visible(choice.label)}")] for number, choice in enumerate(question.options, 1)
            ]
            self._put([[("", visible(question.question))], *choices])
            said = (await self._read("? ") or "").strip()
            if said.isdecimal() and 0 < int(said) <= len(question.options):
                said = question.options[int(said) - 1].label
            if said:
                answers[question.id] = Chosen(answers=[said])
        return InputAnswer(answers=answers)

    def _warned(self, sentence: str) -> None:
        self._put([[("", visible(sentence))]])

    def _show(self) -> None:
        self._put(self._scroll.take(min(_columns(), COLUMNS_MAX)))

    @staticmethod
    def _put(rows: list[Row]) -> None:
        for row in rows:
            sys.stdout.write("".join(text for _, text in row) + "\n")
        sys.stdout.flush()

    @staticmethod
    async def _read(mark: str) -> str | None:
        """The next line; None where there will be none."""
        sys.stdout.write(mark)
        sys.stdout.flush()
        line = await asyncio.to_thread(sys.stdin.readline)
        return line.rstrip("\n") if line else None


def _grants(asked: ApprovalRequest) -> list[Row]:
    """What more than this one call a yes would allow: nobody grants what they could not read."""
    offers = {"session": asked.offers.for_session, "always": asked.offers.always}
    return [[("", visible(say(f"tui.plain.{name}", rule=rules[0])))] for name, rules in offers.items() if rules]


def _columns() -> int:
    try:
        return os.get_terminal_size().columns or COLUMNS_MAX
    except OSError:
        return COLUMNS_MAX
