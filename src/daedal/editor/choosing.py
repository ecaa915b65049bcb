"""How does a person in the editor answer a model's own questions? In a form, or else by one choice for each."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, cast

from acp.helpers import text_block, tool_content
from acp.schema import (
    AcceptElicitationResponse,
    AllowedOutcome,
    ElicitationFormSessionMode,
    ElicitationMultiSelectPropertySchema,
    ElicitationSchema,
    ElicitationStringPropertySchema,
    EnumOption,
    PermissionOption,
    RequestPermissionResponse,
    TitledMultiSelectItems,
    ToolCallUpdate,
)

from daedal.editor.tool_calls import Shown, one_line
from daedal.protocol.catalogue import say
from daedal.protocol.inquiries import Choice, Chosen, InputAnswer, InputRequest, Question

OTHER = "-other"
SKIP = "skip"


class Editor(Protocol):
    """What of the editor's side is needed for that."""

    async def request_permission(
        self, session_id: str, tool_call: ToolCallUpdate, options: list[PermissionOption]
    ) -> RequestPermissionResponse: ...

    async def create_elicitation(self, message: str, mode: ElicitationFormSessionMode) -> Any: ...


async def chosen(editor: Editor, session_id: str, asked: InputRequest, *, has_forms: bool) -> InputAnswer:
    if has_forms:
        return await _by_form(editor, session_id, asked)
    answers: dict[str, Chosen] = {}
    for question in asked.questions:
        response = await editor.request_permission(session_id, _shown(question, asked.item_id), _options(question))
        if not isinstance(response.outcome, AllowedOutcome):
            break  # The person stopped the turn.
        number = response.outcome.option_id
        if number.isdecimal() and int(number) < len(question.options):
            answers[question.id] = Chosen(answers=[question.options[int(number)].label])
    return InputAnswer(answers=answers)


def _shown(question: Question, call_id: str) -> ToolCallUpdate:
    lines = [question.question, "", *(f"- **{choice.label}**: {choice.description}" for choice in question.options)]
    title = one_line(question.question)
    content: list[Shown] = [tool_content(text_block("\n".join(lines)))]
    return ToolCallUpdate(tool_call_id=call_id, title=title, kind="other", status="pending", content=content)


def _options(question: Question) -> list[PermissionOption]:
    return [
        *(
            PermissionOption(option_id=str(number), name=choice.label, kind="allow_once")
            for number, choice in enumerate(question.options)
        ),
        PermissionOption(option_id=SKIP, name=say("editor.skip"), kind="reject_once"),
    ]


async def _by_form(editor: Editor, session_id: str, asked: InputRequest) -> InputAnswer:
    fields: dict[str, Any] = {}
    for question in asked.questions:
        fields[question.id] = _field(question)
        if question.is_other:
            title = say("editor.own_words", header=question.header or question.question)
            fields[f"{question.id}{OTHER}"] = ElicitationStringPropertySchema(type="string", title=title)
    message = "\n".join(question.question for question in asked.questions)
    form = ElicitationSchema(type="object", properties=fields)
    mode = ElicitationFormSessionMode(session_id=session_id, tool_call_id=asked.item_id, requested_schema=form)
    response = await editor.create_elicitation(message, mode)
    given = response.content or {} if isinstance(response, AcceptElicitationResponse) else {}
    found = {question.id: _answers(question, given) for question in asked.questions}
    return InputAnswer(answers={name: Chosen(answers=answers) for name, answers in found.items() if answers})


def _field(question: Question) -> Any:
    about: dict[str, Any] = {"title": question.header or None, "description": question.question}
    choices = [_choice(choice) for choice in question.options]
    if question.multi_select:
        return ElicitationMultiSelectPropertySchema(type="array", items=TitledMultiSelectItems(any_of=choices), **about)
    return ElicitationStringPropertySchema(type="string", one_of=choices, **about)


def _choice(choice: Choice) -> EnumOption:
    return EnumOption(const=choice.label, title=choice.label, description=choice.description or None)


def _answers(question: Question, given: Mapping[str, Any]) -> list[str]:
    """Own words, and of the choices only those that there are."""
    picked = given.get(question.id)
    several = cast("Sequence[Any]", picked if isinstance(picked, list) else [picked])
    known = {choice.label for choice in question.options}
    own = given.get(f"{question.id}{OTHER}") if question.is_other else None
    return [
        *(label for label in several if isinstance(label, str) and label in known),
        *([own] if isinstance(own, str) and own.strip() else []),
    ]
