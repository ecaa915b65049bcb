"""How does the model find a tool that it was not told about at first?"""

import re
from collections.abc import Callable, Mapping
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from daedal.protocol.model import ToolSpec
from daedal.protocol.seams import Bench, Outcome
from daedal.tools.errors import Refused
from daedal.tools.tool import BuiltinTool

RESULTS_MAX = 20
NAMES_MAX = 100
SELECT = "select:"
_WORD = re.compile(r"[a-z0-9]+")
_JOINT = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


class ToolSearchInput(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    query: Annotated[str, Meta(min_length=1)]
    max_results: Annotated[int, Meta(ge=1)] = 5


class ToolSearch(BuiltinTool[ToolSearchInput]):
    def __init__(self, spec: ToolSpec, tools: Callable[[], list[ToolSpec]]) -> None:
        """`tools` are all that the thread has now, deferred or not."""
        super().__init__(spec, ToolSearchInput)
        self._tools = tools

    def names(self, arguments: Mapping[str, Any]) -> list[str]:  # noqa: ARG002 - a query is no path
        return []

    async def act(self, call: ToolSearchInput, bench: Bench) -> Outcome:  # noqa: ARG002 - no file is touched
        tools = self._tools()
        deferred = [spec for spec in tools if spec.is_deferred]
        query = call.query.strip()
        if query.lower().startswith(SELECT):
            found, notes = _selected(query[len(SELECT) :], tools)
        else:
            found, notes = ranked(query, deferred)[: min(call.max_results, RESULTS_MAX)], []
        if not found:
            notes.append(_none(deferred))
        return Outcome(content="\n".join([*map(_described, found), *notes]), loaded=[spec.name for spec in found])


def _selected(names: str, tools: list[ToolSpec]) -> tuple[list[ToolSpec], list[str]]:
    """By name, whatever the case; and what is to be said about names that lead to nothing new."""
    known = {spec.name.lower(): spec for spec in tools}
    wanted = list(dict.fromkeys(name.strip() for name in names.split(",") if name.strip()))[:NAMES_MAX]
    if not wanted:
        raise Refused("select: needs at least one name, as in select:WebFetch,Brief")
    found = [known[name.lower()] for name in wanted if name.lower() in known]
    notes = [f"{spec.name} is described to you already: call it directly." for spec in found if not spec.is_deferred]
    notes += [f"There is no tool {name!r}." for name in wanted if name.lower() not in known]
    return [spec for spec in found if spec.is_deferred], notes


def ranked(query: str, specs: list[ToolSpec]) -> list[ToolSpec]:
    """Those that the words speak of, the best first. A word after `+` must occur; of the others, one is enough."""
    words = query.lower().split()
    required = [word[1:] for word in words if word.startswith("+") and word[1:]]
    wanted = _WORD.findall(" ".join(word.lstrip("+") for word in words))
    texts = {spec.name: f"{spec.name} {spec.description}".lower() for spec in specs}
    fitting = [spec for spec in specs if all(word in texts[spec.name] for word in required)]
    scores = {spec.name: score(spec, wanted) for spec in fitting}
    if required:
        # What must occur has occurred: the rest only says what comes first.
        return sorted(fitting, key=lambda spec: -scores[spec.name])
    return sorted((spec for spec in fitting if scores[spec.name]), key=lambda spec: -scores[spec.name])


def score(spec: ToolSpec, words: list[str]) -> int:
    """A name says more than a description, and a whole word more than a part of one."""
    name, parts = spec.name.lower(), _WORD.findall(_JOINT.sub(" ", spec.name).replace("_", " ").lower())
    described = set(_WORD.findall(spec.description.lower()))
    total = 0
    for word in words:
        if word == name:
            total += 20
        elif word in parts:
            total += 8
        elif len(word) > 2 and word in name:
            total += 4
        if word in described:
            total += 2
        elif len(word) > 3 and any(other.startswith(word) for other in described):
            total += 1
    return total


def _described(spec: ToolSpec) -> str:
    told = {"name": spec.name, "description": spec.description, "input_schema": spec.input_schema}
    return msgspec.json.encode(told).decode()


def _none(deferred: list[ToolSpec]) -> str:
    names = [spec.name for spec in deferred]
    more = f" and {len(names) - NAMES_MAX} more" if len(names) > NAMES_MAX else ""
    there = f"There are: {', '.join(names[:NAMES_MAX])}{more}." if names else "All tools are described to you already."
    return f"No matching deferred tools found. {there}"
