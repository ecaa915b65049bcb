"""Is the model told little, and only what is true?"""

from typing import Any

import msgspec
import pytest

from daedal.tools.agent import AgentInput
from daedal.tools.ask_user_question import AskUserQuestionInput
from daedal.tools.bash import BashInput
from daedal.tools.brief import BriefInput
from daedal.tools.edit import EditInput
from daedal.tools.enter_plan_mode import EnterPlanModeInput
from daedal.tools.exit_plan_mode import ExitPlanModeInput
from daedal.tools.forget import ForgetInput
from daedal.tools.glob import GlobInput
from daedal.tools.grep import GrepInput
from daedal.tools.history import HistoryInput
from daedal.tools.list_mcp_resources import ListMcpResourcesInput
from daedal.tools.memory_tool import MemoryInput
from daedal.tools.move import MoveInput
from daedal.tools.notebook_edit import NotebookEditInput
from daedal.tools.read import ReadInput
from daedal.tools.read_mcp_resource import ReadMcpResourceInput
from daedal.tools.remember import RememberInput
from daedal.tools.skill import SkillInput
from daedal.tools.task_output import TaskOutputInput
from daedal.tools.task_stop import TaskStopInput
from daedal.tools.todo_write import TodoWriteInput
from daedal.tools.tool_search import ToolSearchInput
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
    "AskUserQuestion": AskUserQuestionInput,
    "TodoWrite": TodoWriteInput,
    "TaskOutput": TaskOutputInput,
    "TaskStop": TaskStopInput,
    "Agent": AgentInput,
    "Skill": SkillInput,
    "EnterPlanMode": EnterPlanModeInput,
    "ExitPlanMode": ExitPlanModeInput,
    "ListMcpResources": ListMcpResourcesInput,
    "ReadMcpResource": ReadMcpResourceInput,
    "ToolSearch": ToolSearchInput,
    "Brief": BriefInput,
    "memory": MemoryInput,
    "remember": RememberInput,
    "forget": ForgetInput,
    "history": HistoryInput,
}


def bare(schema: Any, names: dict[str, Any]) -> Any:
    """Without what is only for reading, and without null, which every optional key takes."""
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        schema = names[schema["$ref"].rpartition("/")[2]]
    for choice in schema.get("anyOf", []):
        if choice != {"type": "null"}:
            return bare(choice, names)
    if "enum" in schema:
        return sorted(schema["enum"])
    if "properties" in schema:
        below = [(key, bare(value, names)) for key, value in schema["properties"].items()]
        return {"keys": below, "required": schema["required"], "open": schema.get("additionalProperties", True)}
    told = {key: bare(value, names) for key, value in schema.items()}
    return {key: value for key, value in told.items() if key not in ("description", "default", "title")}


@pytest.mark.parametrize("name", INPUTS)
def test_the_schema_says_what_the_input_takes(desk: Desk, name: str):
    [spec] = [spec for spec in desk.tools.specs() if spec.name == name]
    made = msgspec.json.schema(INPUTS[name])
    written = msgspec.json.decode(spec.input_schema)
    assert written["additionalProperties"] is (name == "ExitPlanMode")
    if name == "ExitPlanMode":
        # The model is told that a plan is needed; without one it is told again, in words.
        assert written["required"] == ["plan"]
        written["required"] = []
    assert bare(written, {}) == bare(made, made["$defs"])


def test_every_tool_has_its_input_checked_against_its_schema(desk: Desk):
    assert {spec.name for spec in desk.tools.specs()} == set(INPUTS)


def test_the_definitions_are_short(desk: Desk):
    sizes = [
        len(msgspec.json.encode({"name": s.name, "description": s.description, "input_schema": s.input_schema}))
        for s in desk.tools.specs()
    ]
    assert sum(sizes) <= 17_000
    assert all(len(spec.description.encode()) <= 350 for spec in desk.tools.specs())


READ_ONLY = (
    "Read Glob Grep WebFetch WebSearch TodoWrite TaskOutput ListMcpResources ReadMcpResource ToolSearch Brief"
    " memory history"
)


def test_only_what_changes_nothing_claims_so(desk: Desk):
    assert {spec.name for spec in desk.tools.specs() if spec.read_only} <= set(READ_ONLY.split())
    assert next(iter(desk.tools.specs())).name == "Read"


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
