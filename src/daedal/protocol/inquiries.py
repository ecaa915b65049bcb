"""How does a model ask the person something? Questions with choices to the client, and what was chosen."""

from typing import Any

from msgspec import Struct

INQUIRY_METHOD = "item/tool/requestUserInput"


class Choice(Struct, rename="camel", frozen=True, kw_only=True):
    label: str
    description: str = ""
    preview: str | None = None
    """What choosing it would look like; ours."""


class Question(Struct, rename="camel", frozen=True, kw_only=True):
    id: str
    header: str
    """A word or two, for a tab or a chip."""
    question: str
    is_other: bool = True
    """The person may also answer in words of their own."""
    is_secret: bool = False
    options: list[Choice] = []
    multi_select: bool = False
    """Several may be chosen; ours."""
    form: dict[str, Any] | None = None
    """Where it is a field of a form: what may be written into it, as JSON Schema (see `forms`); ours."""
    is_required: bool = False
    """A form without it is not accepted; ours."""


class InputRequest(Struct, rename="camel", frozen=True, kw_only=True):
    thread_id: str
    turn_id: str
    item_id: str
    questions: list[Question]
    is_blocking: bool = True
    auto_resolution_ms: int | None = None
    """After so long it counts as not answered."""


class Chosen(Struct, rename="camel", frozen=True, kw_only=True):
    answers: list[str]


class InputAnswer(Struct, rename="camel", frozen=True, kw_only=True):
    answers: dict[str, Chosen]
    """By the question's id. A question that is left out was not answered."""
