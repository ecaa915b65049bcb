"""Which commands does every session have, beside the person's own? Those of ours that are more than a prompt.

A custom command of the same name counts before them.
"""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from daedal.protocol.catalogue import say
from daedal.protocol.folding import ThreadCompactParams
from daedal.protocol.items import Given, UserInput
from daedal.protocol.prompts import CommandInfo
from daedal.protocol.steering import ReviewStartParams
from daedal.protocol.turns import TurnStartParams

INIT = (
    "Look at this project and write AGENTS.md in its root: what somebody who works here for the first time must know."
    " How it is built, tested and run, with the commands; what lies where; conventions that the code follows and that"
    " cannot be guessed from one file. Take facts from the files, never guess. Keep it under one page. Where there is"
    " an AGENTS.md or a CLAUDE.md already, improve it instead of writing another."
)
REVIEW = "Review the following, and change nothing. Report what is wrong, the worst first, each with file and line: "

Ask = Callable[[str, Any], Awaitable[Any]]


def _own(name: str, hint: str = "") -> CommandInfo:
    about = say(f"editor.command.{name}")
    return CommandInfo(name=name, description=about, argument_hint=hint, source="daedal", path="")


def offered(custom: Sequence[CommandInfo]) -> list[CommandInfo]:
    """The person's own, and those of ours whose names are free."""
    taken = {info.name for info in custom}
    ours = [
        _own("compact", say("editor.command.compact.hint")),
        _own("init"),
        _own("review", say("editor.command.hint")),
    ]
    return [*(info for info in ours if info.name not in taken), *custom]


def named_in(said: Sequence[Given], custom: Sequence[CommandInfo]) -> tuple[str, str] | None:
    """Which command of ours a prompt is, and what stands after its name."""
    words = next((part.text for part in said if isinstance(part, UserInput) and not part.is_literal), "").strip()
    name, _, rest = words.removeprefix("/").partition(" ")
    if not words.startswith("/") or name not in RUNS or any(info.name == name for info in custom):
        return None
    return name, rest.strip()


async def _compact(ask: Ask, thread_id: str, rest: str) -> str:
    await ask("thread/compact/start", ThreadCompactParams(thread_id=thread_id, focus=rest))
    return ""


async def _init(ask: Ask, thread_id: str, rest: str) -> str:
    task = f"{INIT}\n\n{rest}" if rest else INIT
    started = await ask("turn/start", TurnStartParams(thread_id=thread_id, input=[UserInput(task, is_literal=True)]))
    return started.turn.id


async def _review(ask: Ask, thread_id: str, rest: str) -> str:
    custom = {"type": "custom", "instructions": f"{REVIEW}{rest}"}
    target = custom if rest else {"type": "uncommittedChanges"}
    return (await ask("review/start", ReviewStartParams(thread_id=thread_id, target=target))).turn.id


RUNS: dict[str, Callable[[Ask, str, str], Awaitable[str]]] = {"compact": _compact, "init": _init, "review": _review}
"""Each begins a turn. Gives its id, or nothing where the turn's own events tell it."""
