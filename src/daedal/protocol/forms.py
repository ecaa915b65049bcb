"""Is what a person wrote into a field what its form wants? For the few kinds of JSON Schema that forms may use."""

import re
from math import isfinite
from typing import Any, cast

from daedal.protocol.catalogue import say

YES, NO = "yes", "no"
_FORMATS = {
    "email": re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+"),
    "uri": re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:\S+"),
    "date": re.compile(r"\d{4}-\d\d-\d\d"),
    "date-time": re.compile(r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(:\d\d(\.\d+)?)?([Zz]|[+-]\d\d:?\d\d)?"),
}


def choices(schema: dict[str, Any]) -> list[tuple[str, str]]:
    """What can be chosen in the field, each as its value and how it is called; empty where one writes."""
    if schema.get("type") == "boolean":
        return [(YES, YES), (NO, NO)]
    if schema.get("type") == "array":
        items = schema.get("items")
        return choices(cast("dict[str, Any]", items)) if isinstance(items, dict) else []
    listed = schema.get("enum")
    if isinstance(listed, list):
        values = [str(value) for value in cast("list[Any]", listed)]
        names = schema.get("enumNames")
        named = [str(name) for name in cast("list[Any]", names)] if isinstance(names, list) else []
        return list(zip(values, named if len(named) == len(values) else values, strict=True))
    for key in ("oneOf", "anyOf"):
        if isinstance(schema.get(key), list):
            parts = [cast("dict[str, Any]", part) for part in schema[key] if isinstance(part, dict)]
            return [(str(part["const"]), str(part.get("title") or part["const"])) for part in parts if "const" in part]
    return []


def value(schema: dict[str, Any], text: str) -> Any:
    """What was written, as the field wants it. Raises ValueError, whose words are for the person."""
    match schema.get("type"):
        case "boolean":
            return text == YES
        case "integer" | "number" as kind:
            return _number(schema, text, is_whole=kind == "integer")
        case _:
            return _text(schema, text)


def _number(schema: dict[str, Any], text: str, *, is_whole: bool) -> int | float:
    try:
        found: int | float = int(text) if is_whole else float(text)
    except ValueError as error:
        raise ValueError(say("forms.integer" if is_whole else "forms.number")) from error
    if not isinstance(found, int) and not isfinite(found):
        raise ValueError(say("forms.number"))
    least, most = schema.get("minimum"), schema.get("maximum")
    if isinstance(least, int | float) and found < least:
        raise ValueError(say("forms.minimum", least=least))
    if isinstance(most, int | float) and found > most:
        raise ValueError(say("forms.maximum", most=most))
    return found


def _text(schema: dict[str, Any], text: str) -> str:
    shortest, longest = schema.get("minLength"), schema.get("maxLength")
    if isinstance(shortest, int) and len(text) < shortest:
        raise ValueError(say("forms.shortest", count=shortest))
    if isinstance(longest, int) and len(text) > longest:
        raise ValueError(say("forms.longest", count=longest))
    form = schema.get("format")
    if isinstance(form, str) and form in _FORMATS and not _FORMATS[form].fullmatch(text):
        raise ValueError(say(f"forms.{form.replace('-', '_')}"))
    known = [each for each, _ in choices(schema)]
    if known and text not in known:
        raise ValueError(say("forms.listed", values=", ".join(known)))
    return text
