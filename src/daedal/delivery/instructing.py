"""What is a session told to do? Our instruction or the project's own, and what earlier sessions learned."""

import os
from collections.abc import Sequence

from daedal.config import read_text
from daedal.delivery.workflow import Instruction
from daedal.permissions import inside
from daedal.protocol.catalogue import say
from daedal.protocol.errors import UsageError

LESSONS_MAX = 12
LESSON_MAX = 600


def resolve(project: str, name: Instruction) -> str:
    """`.daedal/<name>.md` where the project has one that says something. Raises ConfigurationError or UsageError.

    `project` has no links in it. A link in it must not turn another file, such as the user's keys, into an instruction.
    """
    path = os.path.join(project, ".daedal", f"{name}.md")
    real = os.path.realpath(path)
    if not inside(real, project) or not real.endswith(".md"):
        raise UsageError(say("delivery.linked_state", path=path))
    own = read_text(real)
    if own is not None and own.strip():
        return own
    with open(os.path.join(os.path.dirname(__file__), "instructions", f"{name}.md"), encoding="utf-8") as file:
        return file.read()


def with_lessons(instruction: str, lessons: Sequence[str]) -> str:
    """What was tried and failed goes along, so that nobody tries it the same way again."""
    if not lessons:
        return instruction
    told = "\n".join(f"- {lesson[:LESSON_MAX]}" for lesson in lessons[-LESSONS_MAX:])
    return f"{instruction.rstrip()}\n\nWhat earlier sessions ran into (do not repeat it in the same way):\n{told}\n"
