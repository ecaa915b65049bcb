"""How does a model's question become one that faces can show, and the choice become an answer it can read?"""

from typing import Any

import msgspec

from daedal.protocol.inquiries import Choice, InputAnswer, InputRequest, Question
from daedal.protocol.verdict import Decision, Ruling, ToolRequest, Verdict

TOOL = "AskUserQuestion"
NOBODY = "nobody is there to answer: decide yourself, go on, and say in your answer what you assumed"
LATE = "nobody answered in time: decide yourself, go on, and say in your answer what you assumed"


class AskedChoice(msgspec.Struct, frozen=True):
    label: str
    description: str = ""
    preview: str | None = None


class AskedQuestion(msgspec.Struct, frozen=True):
    question: str
    header: str = ""
    options: list[AskedChoice] = []
    multiSelect: bool = False  # noqa: N815 - the reference's key


def questions_of(given: dict[str, Any]) -> list[Question]:
    """What the model asks; empty where its input makes no sense, which the tool itself then says."""
    try:
        asked = msgspec.convert(given.get("questions"), list[AskedQuestion], strict=False)
    except msgspec.ValidationError:
        return []
    return [
        Question(
            id=str(number),
            header=each.header,
            question=each.question,
            multi_select=each.multiSelect,
            options=[
                Choice(label=choice.label, description=choice.description, preview=choice.preview)
                for choice in each.options
            ],
        )
        for number, each in enumerate(asked)
    ]


def inquiry(request: ToolRequest, questions: list[Question], *, thread_id: str, turn_id: str) -> InputRequest:
    return InputRequest(thread_id=thread_id, turn_id=turn_id, item_id=request.tool_use_id, questions=questions)


def unaskable(request: ToolRequest) -> Ruling:
    """There is nothing to ask; the call goes on to the tool, which tells the model what is wrong with it."""
    reason = "there is no question in it that could be asked"
    return _answered(request, {}, Decision(verdict=Verdict.ALLOW, rule=f"person:{TOOL}", reason=reason))


def ruling_of(request: ToolRequest, questions: list[Question], answer: InputAnswer | None, *, late: bool) -> Ruling:
    """The answers become part of the call, as the reference has it; only a person's count, never the model's own."""
    if answer is None:
        decision = Decision(verdict=Verdict.DENY, rule=f"person:{TOOL}", reason=LATE if late else NOBODY)
        return Ruling(decision=decision, asked=True, by_default=True)
    chosen = {
        each.question: ", ".join(answer.answers[each.id].answers) for each in questions if each.id in answer.answers
    }
    allowed = Decision(verdict=Verdict.ALLOW, rule=f"person:{TOOL}", reason="the user answered")
    return _answered(request, chosen, allowed)


def _answered(request: ToolRequest, answers: dict[str, str], decision: Decision) -> Ruling:
    return Ruling(decision=decision, asked=True, input={**request.input, "answers": answers})
