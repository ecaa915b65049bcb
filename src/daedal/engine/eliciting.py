"""How does an MCP server ask the person something? Hooks may answer first, then the person; hooks hear the answer.

A form becomes questions like a model's own, one for each field, so that every face that can answer those can answer it.
"""

import asyncio
from typing import Any, cast

from msgspec import Struct

from daedal.engine.thread import LoadedThread
from daedal.protocol.catalogue import say
from daedal.protocol.forms import NO, YES, choices, value
from daedal.protocol.hooks import HookEvent
from daedal.protocol.ids import new_id
from daedal.protocol.inquiries import Choice, InputAnswer, InputRequest, Question
from daedal.protocol.service import Faces

ACCEPT, DECLINE = "accept", "decline"


class Elicitation(Struct, frozen=True, kw_only=True):
    """What the hook `Elicitation` is told."""

    mcp_server_name: str
    message: str
    mode: str = "form"
    url: str | None = None
    elicitation_id: str | None = None
    requested_schema: dict[str, Any] | None = None

    def fields(self) -> dict[str, Any]:
        named = {name: getattr(self, name) for name in self.__struct_fields__}
        return {name: value for name, value in named.items() if value is not None}


class Reply(Struct, frozen=True, kw_only=True):
    action: str
    """`accept`, `decline` or `cancel`."""
    content: dict[str, Any] | None = None


async def elicit(thread: LoadedThread, faces: Faces, asked: Elicitation, *, turn_id: str, deadline_s: float) -> Reply:
    instead = await thread.hooks.fire(HookEvent.ELICITATION, turn_id=turn_id, **asked.fields())
    if instead.elicitation is not None:
        reply = _of_hook(instead.elicitation)
    else:
        reply = await _of_person(thread, faces, asked, turn_id=turn_id, deadline_s=deadline_s)
    told: dict[str, Any] = {"mcp_server_name": asked.mcp_server_name, "mode": asked.mode, "action": reply.action}
    if asked.elicitation_id is not None:
        told["elicitation_id"] = asked.elicitation_id
    if reply.content is not None:
        told["content"] = reply.content
    last = await thread.hooks.fire(HookEvent.ELICITATION_RESULT, turn_id=turn_id, **told)
    return reply if last.elicitation is None else _of_hook(last.elicitation)


async def _of_person(
    thread: LoadedThread, faces: Faces, asked: Elicitation, *, turn_id: str, deadline_s: float
) -> Reply:
    questions = questions_of(asked)
    request = InputRequest(thread_id=thread.id, turn_id=turn_id, item_id=new_id(), questions=questions)
    try:
        async with asyncio.timeout(deadline_s):
            answer = await faces.inquire(request)
    except TimeoutError:
        answer = None
    return Reply(action=DECLINE) if answer is None else _read(asked, questions, answer)


def questions_of(asked: Elicitation) -> list[Question]:
    """One for each field of the form; where there is none, whether the person agrees."""
    text = say("engine.server_asks", server=asked.mcp_server_name, message=asked.message)
    fields = _properties(asked)
    if asked.url is not None:
        text = say("engine.server_asks_url", server=asked.mcp_server_name, message=asked.message, url=asked.url)
    if not fields:
        options = [Choice(label=YES), Choice(label=NO)]
        return [Question(id="", header=asked.mcp_server_name, question=text, options=options, is_other=False)]
    return [
        Question(
            id=name,
            header=str(schema.get("title") or name),
            question=f"{text}\n{schema.get('description') or schema.get('title') or name}",
            options=[Choice(label=label) for _, label in choices(schema)],
            is_other=not choices(schema),
            multi_select=schema.get("type") == "array",
            form=schema,
            is_required=name in _required(asked),
        )
        for name, schema in fields.items()
    ]


def _read(asked: Elicitation, questions: list[Question], answer: InputAnswer) -> Reply:
    given = {each.id: answer.answers[each.id].answers for each in questions if each.id in answer.answers}
    if "" in given:
        return Reply(action=ACCEPT if given[""] == [YES] else DECLINE)
    if not given:
        return Reply(action=DECLINE)
    fields = _properties(asked)
    try:
        return Reply(action=ACCEPT, content={name: _given(fields[name], said) for name, said in given.items()})
    except ValueError:
        return Reply(action=DECLINE)


def _properties(asked: Elicitation) -> dict[str, dict[str, Any]]:
    """The fields of the form that are fields; a server may send anything."""
    found = (asked.requested_schema or {}).get("properties")
    if not isinstance(found, dict):
        return {}
    named = cast("dict[str, Any]", found)
    return {name: cast("dict[str, Any]", schema) for name, schema in named.items() if isinstance(schema, dict)}


def _required(asked: Elicitation) -> list[Any]:
    listed = (asked.requested_schema or {}).get("required")
    return cast("list[Any]", listed) if isinstance(listed, list) else []


def _given(schema: dict[str, Any], answers: list[str]) -> Any:
    """The answer as the field wants it. Raises ValueError where it is none."""
    values = {label: name for name, label in choices(schema)}
    if schema.get("type") == "array":
        return [values.get(answer, answer) for answer in answers]
    text = ", ".join(answers)
    return value(schema, values.get(text, text))


def _of_hook(answer: dict[str, Any]) -> Reply:
    return Reply(action=answer.get("action") or DECLINE, content=answer.get("content"))
