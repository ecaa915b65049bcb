"""How does a project get its AGENTS.md? The model looks around and writes it; one that is there is made better."""

import os

from daedal.protocol.catalogue import say
from daedal.protocol.items import UserInput
from daedal.protocol.turns import TurnStartParams
from daedal.tui.face import Face
from daedal.tui.view import Notice


async def run(face: Face, arguments: str) -> None:
    with open(os.path.join(os.path.dirname(__file__), "init.md"), encoding="utf-8") as file:
        task = file.read().strip()
    if wishes := arguments.strip():
        task = f"{task}\n\nThe person adds: {wishes}"
    face.tell(Notice(say("tui.init.begun")))
    given = [UserInput(task, is_literal=True)]
    started = await face.call("turn/start", TurnStartParams(thread_id=face.view.thread_id, input=given))
    face.view.begin(started.turn.id)
