"""What would a call look like to the gate that is only told, not made? For deciding offline and for explaining."""

from collections.abc import Iterator, Mapping
from typing import Any

from daedal.permissions.rules.call import told_paths
from daedal.permissions.rules.names import EDITORS, READERS, SEARCHERS, SILENT, canonical, is_mcp
from daedal.permissions.rules.place import Place
from daedal.protocol.verdict import ToolRequest

SUBJECT_KEYS = {
    "Bash": "command",
    "WebFetch": "url",
    "WebSearch": "query",
    "Skill": "skill",
    "Agent": "subagent_type",
    "Glob": "pattern",
    "Grep": "pattern",
    "NotebookEdit": "notebook_path",
}


def told_request(tool: str, given: Mapping[str, Any], cwd: str, place: Place) -> ToolRequest:
    """The request that the call would make; `place` says how its paths are followed."""
    name = canonical(tool)
    return ToolRequest(
        tool_use_id="told",
        tool=tool,
        input=dict(given),
        read_only=name in SILENT,
        paths=[place.resolve(path) for path in _paths(name, given, cwd, place)],
        cwd=cwd,
        principal="person:told",
    )


def told_input(tool: str, subject: str) -> dict[str, Any]:
    """The input of a call that is written like a rule: `Bash(git push)`."""
    name = canonical(tool)
    key = SUBJECT_KEYS.get(name, "file_path" if name in EDITORS | READERS else "")
    return {key: subject} if key else {}


def _paths(tool: str, given: Mapping[str, Any], cwd: str, place: Place) -> Iterator[str]:
    if tool == "Bash" or is_mcp(tool):
        return
    texts = told_paths(given)
    yield from (place.absolute(text, cwd) for text in texts)
    if tool not in SEARCHERS:
        return
    start = place.absolute(texts[0], cwd) if texts else cwd
    if not texts:
        yield start
    pattern = given.get("pattern")
    if tool == "Glob" and isinstance(pattern, str) and (pattern.startswith(("/", "~")) or ".." in pattern):
        fixed = pattern.partition("*")[0].partition("?")[0].partition("[")[0]
        yield place.absolute(fixed.rpartition("/")[0] or "/", start)
