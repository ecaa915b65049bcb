"""Does a question that comes by itself take only keys that were meant for it?"""

import asyncio
from collections.abc import Callable

from daedal.tui.overlay import Overlay
from daedal.tui.stage import Stage
from daedal.tui.terminal.keys import Key
from daedal.tui.terminal.widths import Row
from tests.toolbox.model_replies import calls, say
from tests.toolbox.model_server import ModelServer
from tests.toolbox.program import Daedal
from tests.tui.screen import Screen
from tests.tui.sitting import LISTENS, ready

Terminal = Callable[..., Screen]
Model = Callable[..., ModelServer]


class Question(Overlay):
    is_urgent = True

    def rows(self, columns: int, height: int) -> list[Row]:
        del columns, height
        return []

    def key(self, key: Key) -> None:
        self.finish(key.name)


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now

    def pass_by(self, seconds: float) -> None:
        self.now += seconds


def with_a_question(scenario: Callable[[Stage, Clock], None]) -> None:
    """One has come up right after `y` was pressed."""

    async def play() -> None:
        clock = Clock()
        stage = Stage(lambda: None, clock)
        assert stage.pressed("y")
        shown = asyncio.create_task(stage.show(Question()))
        await asyncio.sleep(0)
        scenario(stage, clock)
        stage.drop()
        await shown

    asyncio.run(play())


def test_a_key_that_is_struck_twice_is_no_answer_and_counts_again_later():
    def scenario(stage: Stage, clock: Clock) -> None:
        clock.pass_by(0.2)
        assert not stage.pressed("y")
        assert stage.is_deaf
        clock.pass_by(0.6)
        assert stage.pressed("y")
        assert not stage.is_deaf

    with_a_question(scenario)


def test_a_key_that_is_held_is_no_answer_however_long():
    def scenario(stage: Stage, clock: Clock) -> None:
        clock.pass_by(0.66)
        for _ in range(200):
            assert not stage.pressed("y")
            clock.pass_by(0.033)
        clock.pass_by(0.3)
        assert stage.pressed("y")

    with_a_question(scenario)


def test_whoever_presses_another_key_has_seen_the_question():
    def scenario(stage: Stage, clock: Clock) -> None:
        clock.pass_by(0.1)
        assert stage.pressed("down")
        assert stage.pressed("y")

    with_a_question(scenario)


def test_a_question_behind_which_somebody_types_takes_none_of_it():
    async def scenario() -> None:
        clock = Clock()
        stage = Stage(lambda: None, clock)
        field, question = Question(), Question()
        field.is_urgent = False
        typing = asyncio.create_task(stage.show(field))
        await asyncio.sleep(0)
        stage.pressed("l")
        stage.typed()
        asking = asyncio.create_task(stage.show(question))
        await asyncio.sleep(0)
        assert stage.overlay is field
        assert stage.has_keyboard
        assert stage.pressed("l")
        stage.pressed("enter")
        field.finish()
        await typing
        assert stage.overlay is question
        assert not stage.pressed("enter"), "the key that ended the other one is no answer"
        stage.drop()
        await asking

    asyncio.run(scenario())


def test_a_doubled_yes_answers_one_card(terminal: Terminal, model: Model, daedal: Daedal):
    commands = [("Bash", {"command": f"touch {name}"}) for name in ("one", "two")]
    model([calls(*commands), say("So be it.")])
    screen = ready(terminal())
    screen.type("go\r")
    screen.until("touch one").until("May it?").press("y", "y", "y")
    screen.until(lambda screen: "touch two" in screen.text.partition("◆")[2] and LISTENS in screen.text)
    screen.until(lambda screen: "›" not in screen.text.partition("◆")[2])
    assert not (daedal.workspace / "two").exists()
    screen.press("n")
    screen.until("So be it.")
    assert (daedal.workspace / "one").exists()
    assert not (daedal.workspace / "two").exists()
