"""Is the model told little, and only what is true?"""

from typing import Any

import msgspec
import pytest

from daedal.tools.bash import BashInput
from daedal.tools.edit import EditInput
from daedal.tools.glob import GlobInput
from daedal.tools.grep import GrepInput
from daedal.tools.move import MoveInput
from daedal.tools.notebook_edit import NotebookEditInput
from daedal.tools.read import ReadInput
from daedal.tools.web_fetch import WebFetchInput
from daedal.tools.web_search import WebSearchInput
from daedal.tools.write import WriteInput
from tests.tools.desk import Desk

INPUTS = {
    "NotebookEdit": NotebookEditInput,
    "Move": MoveInput,
    "WebFetch": WebFetchInput,
    "WebSearch": WebSearchInput,
    "Read": ReadInput,
    "Write": WriteInput,
    "Edit": EditInput,
    "Bash": BashInput,
    "Glob": GlobInput,
    "Grep": GrepInput,
}


def bare(schema: dict[str, Any]) -> dict[str, Any]:
    """A property without what is only for reading, and without null, which every optional key takes."""
    for choice in schema.get("anyOf", []):
        if choice != {"type": "null"}:
            schema = choice
    return {key: value for key, value in schema.items() if key not in ("description", "default")}


@pytest.mark.parametrize("name", INPUTS)
def test_the_schema_says_what_the_input_takes(desk: Desk, name: str):
    [spec] = [spec for spec in desk.tools.specs() if spec.name == name]
    written = msgspec.json.decode(spec.input_schema)
    made = msgspec.json.schema(INPUTS[name])["$defs"][INPUTS[name].__name__]
    assert written["additionalProperties"] is False
    assert written["required"] == made["required"]
    assert list(written["properties"]) == list(made["properties"])
    for key, schema in written["properties"].items():
        expected = bare(made["properties"][key])
        if "enum" in expected:
            assert sorted(schema["enum"]) == sorted(expected["enum"])
        else:
            assert bare(schema) == expected


def test_the_definitions_are_short(desk: Desk):
    sizes = [
        len(msgspec.json.encode({"name": s.name, "description": s.description, "input_schema": s.input_schema}))
        for s in desk.tools.specs()
    ]
    assert sum(sizes) <= 6500
    assert all(len(spec.description.encode()) <= 350 for spec in desk.tools.specs())


def test_the_order_and_the_readers_are_fixed(desk: Desk):
    assert [(spec.name, spec.read_only) for spec in desk.tools.specs()] == [
        ("Read", True),
        ("Write", False),
        ("Edit", False),
        ("NotebookEdit", False),
        ("Move", False),
        ("Bash", False),
        ("Glob", True),
        ("Grep", True),
        ("WebFetch", True),
        ("WebSearch", True),
    ]


@pytest.mark.parametrize(
    ("tool", "arguments", "issue"),
    [
        ("Read", {}, "missing key `file_path`"),
        ("Read", {"file_path": 5}, "key `file_path`: expected `str`, got `int`"),
        ("Read", {"file_path": "a", "limit": 0}, "key `limit`: expected `int` >= 1"),
        ("Read", {"file_path": "a", "limit": "many"}, "key `limit`: expected `int | null`, got `str`"),
        ("Write", {"file_path": "a"}, "missing key `content`"),
        ("Edit", {"file_path": "a", "old_string": "x", "new_string": "y", "count": 2}, "unknown key `count`"),
        ("Bash", {"command": ["ls"]}, "key `command`: expected `str`, got `array`"),
        ("Glob", {"pattern": None}, "missing key `pattern`"),
        ("Grep", {"pattern": "x", "output_mode": "lines"}, "key `output_mode`: invalid enum value 'lines'"),
        ("Grep", {"pattern": "x", "-A": -1}, "key `-A`: expected `int` >= 0"),
    ],
)
def test_wrong_input_is_told_by_tool_key_and_expectation(desk: Desk, tool: str, arguments: dict[str, Any], issue: str):
    outcome = desk.do(tool, **arguments)
    assert outcome.is_error
    assert outcome.content.startswith(
        f"InputValidationError: {tool} failed due to the following issue: {issue}. Keys of"
    )


def test_small_slips_are_forgiven(desk: Desk):
    desk.put("a.txt", "one\ntwo\nthree\n")
    expected = "2\ttwo\n(lines 2-2 of 3)"
    for offset, limit in ((2, 1), ("2", "1"), (2.0, 1.0)):
        assert desk.do("Read", file_path="a.txt", offset=offset, limit=limit, pages=None).content == expected
