"""What does a JSON Schema allow, by example? A handful of values for each: the least, the most, and each variant."""

from collections.abc import Iterator
from typing import Any

DEPTH_MAX = 8


class Samples:
    def __init__(self, definitions: dict[str, Any]) -> None:
        self._definitions = definitions

    def of(self, schema: Any, depth: int = 0) -> Iterator[Any]:
        """At least one value, the plainest first."""
        if schema is True or schema == {} or depth > DEPTH_MAX:
            yield {}
            return
        if "$ref" in schema:
            yield from self.of(self._definitions[schema["$ref"].rpartition("/")[2]], depth + 1)
        elif "enum" in schema:
            yield from schema["enum"]
        elif "const" in schema:
            yield schema["const"]
        elif "allOf" in schema:
            yield from self.of(schema["allOf"][0], depth + 1)
        elif "oneOf" in schema or "anyOf" in schema:
            for one in schema.get("oneOf", schema.get("anyOf", [])):
                base = {key: value for key, value in schema.items() if key not in ("oneOf", "anyOf")}
                for value in self.of(one, depth + 1):
                    if "properties" in base and isinstance(value, dict):
                        yield {**next(self._object(base, depth)), **value}
                    else:
                        yield value
        else:
            yield from self._plain(schema, depth)

    def _plain(self, schema: dict[str, Any], depth: int) -> Iterator[Any]:
        kinds = schema.get("type", "object")
        for kind in kinds if isinstance(kinds, list) else [kinds]:
            match kind:
                case "string":
                    yield "text"
                case "integer":
                    yield int(schema.get("minimum", 1))
                case "number":
                    yield 1.5
                case "boolean":
                    yield True
                case "null":
                    yield None
                case "array":
                    yield []
                    for value in self.of(schema.get("items", True), depth + 1):
                        yield [value]
                case _:
                    yield from self._object(schema, depth)

    def _object(self, schema: dict[str, Any], depth: int) -> Iterator[dict[str, Any]]:
        required = schema.get("required", [])
        properties = schema.get("properties", {})
        least = {name: next(self.of(properties[name], depth + 1)) for name in required if name in properties}
        yield least
        for name, inner in properties.items():
            for value in self.of(inner, depth + 1):
                yield {**least, name: value}
