"""How does the model ask the user something?

The gate puts the questions to the person and the answers into the call's input; the tool says to the model what came
of it. So a call without answers is one that nobody answered.
"""

from collections.abc import Mapping
from typing import Annotated, Any

from msgspec import Meta, Struct

from daedal.protocol.model import ToolSpec
from daedal.protocol.seams import Bench, Outcome
from daedal.tools.errors import Refused
from daedal.tools.tool import BuiltinTool

Named = Annotated[str, Meta(min_length=1)]


class OptionInput(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    label: Named
    description: str
    preview: str | None = None


class QuestionInput(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    question: Named
    header: str
    options: Annotated[list[OptionInput], Meta(min_length=2, max_length=4)]
    multiSelect: bool = False  # noqa: N815


class AnnotationInput(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    preview: str | None = None
    notes: str | None = None


class MetadataInput(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    source: str | None = None


class AskUserQuestionInput(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    questions: Annotated[list[QuestionInput], Meta(min_length=1, max_length=4)]
    answers: dict[str, str] = {}
    annotations: dict[str, AnnotationInput] = {}
    metadata: MetadataInput | None = None


class AskUserQuestion(BuiltinTool[AskUserQuestionInput]):
    def __init__(self, spec: ToolSpec) -> None:
        super().__init__(spec, AskUserQuestionInput)

    def names(self, arguments: Mapping[str, Any]) -> list[str]:  # noqa: ARG002 - questions name no paths
        return []

    async def act(self, call: AskUserQuestionInput, bench: Bench) -> Outcome:  # noqa: ARG002 - the asking is done
        _refuse_doubles(call.questions)
        answered = [_pair(question, call) for question in call.questions if question.question in call.answers]
        open_ones = [f'"{question.question}"' for question in call.questions if question.question not in call.answers]
        if not answered:
            return Outcome(
                content="The user did not answer. Do not ask again: go on with the choice that is safest and easiest to"
                " undo, and say at the end what you assumed."
            )
        silent = f" Not answered: {', '.join(open_ones)}." if open_ones else ""
        return Outcome(content=f"The user answered: {', '.join(answered)}.{silent} Go on with that in mind.")


def _pair(question: QuestionInput, call: AskUserQuestionInput) -> str:
    noted = call.annotations.get(question.question)
    notes = f' (notes: "{noted.notes}")' if noted and noted.notes else ""
    return f'"{question.question}"="{call.answers[question.question]}"{notes}'


def _refuse_doubles(questions: list[QuestionInput]) -> None:
    """Answers are told by the question's words, and choices by their label."""
    if len({question.question for question in questions}) < len(questions):
        raise Refused("Two of the questions are the same. Ask each once, in words of its own.")
    for question in questions:
        if len({option.label for option in question.options}) < len(question.options):
            raise Refused(f'Two options of "{question.question}" have the same label. Give each a label of its own.')
