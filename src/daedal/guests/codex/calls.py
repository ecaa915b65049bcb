"""What does Codex want to do, in our words? Its commands, patches and other items as calls that rules know."""

import re
import shlex
from typing import Any, cast

from msgspec.json import encode

from daedal.protocol.items import Change, PlanStep
from daedal.protocol.model import CallRequested
from daedal.protocol.seams import Outcome

SHELLS = tuple(f"{folder}/{name}" for folder in ("/bin", "/usr/bin") for name in ("bash", "dash", "sh", "zsh"))
"""A program of that name elsewhere could be anything."""
NOTHING = "(no output)"
EXITED = re.compile(r"^Process exited with code (-?\d+)$", re.MULTILINE)
PLAN = "plan"
"""The type of what stands for an update of its list of what is to be done."""

Item = dict[str, Any]


def command_call(call_id: str, params: Item, workspace: str) -> CallRequested:
    """From `item/commandExecution/requestApproval`, or an item that ran unasked."""
    line = script_of(str(params.get("command") or ""))
    cwd = params.get("cwd")
    if isinstance(cwd, str) and cwd != workspace:
        # The same words elsewhere are another call.
        line = f"cd {shlex.quote(cwd)} && {line}"
    arguments: Item = {"command": line}
    if params.get("reason") or params.get("networkApprovalContext"):
        # It only gives a reason where it wants out of its walls.
        arguments |= {"description": str(params.get("reason") or ""), "dangerouslyDisableSandbox": True}
    return CallRequested(call_id, "Bash", encode(arguments).decode())


def script_of(command: str) -> str:
    """What the shell is told, where the command is a shell that is told something."""
    try:
        words = shlex.split(command)
    except ValueError:
        return command
    is_shell = len(words) == 3 and words[0] in SHELLS and words[1] in ("-c", "-lc")
    return words[2] if is_shell else command


def patch_call(call_id: str, item: Item) -> CallRequested:
    changes = [
        {
            "path": change["path"],
            "kind": change["kind"]["type"],
            "diff": change["diff"],
            **({"move_path": moved} if (moved := change["kind"].get("move_path")) else {}),
        }
        for change in cast("list[Item]", item.get("changes") or [])
    ]
    name = "Write" if changes and all(change["kind"] == "add" for change in changes) else "Edit"
    arguments = {"file_path": changes[0]["path"] if changes else "", "changes": changes}
    return CallRequested(call_id, name, encode(arguments).decode())


def plan_call(call_id: str, params: Item) -> CallRequested:
    steps = {"pending": "pending", "inProgress": "in_progress", "completed": "completed"}
    todos = [
        {"content": step["step"], "status": steps.get(step["status"], "pending"), "activeForm": step["step"]}
        for step in cast("list[Item]", params.get("plan") or [])
    ]
    return CallRequested(call_id, "TodoWrite", encode({"todos": todos}).decode())


def lent_call(call_id: str, name: str | None, params: Item) -> CallRequested:
    """One of our tools; where there is no such tool, our engine says so under the name that it was called by."""
    called = name or f"mcp__{params.get('namespace') or ''}__{params.get('tool')}"
    return CallRequested(call_id, called, encode(params.get("arguments") or {}).decode())


def other_call(call_id: str, item: Item) -> CallRequested:
    """An item that has done something by itself, under the name that our rules would know it by."""
    match item.get("type"):
        case "mcpToolCall":
            return CallRequested(call_id, f"mcp__{item['server']}__{item['tool']}", encode(item["arguments"]).decode())
        case "webSearch":
            return CallRequested(call_id, "WebSearch", encode({"query": item.get("query", "")}).decode())
        case "imageView":
            return CallRequested(call_id, "Read", encode({"file_path": item.get("path", "")}).decode())
        case kind:
            return CallRequested(call_id, str(kind), encode({}).decode())


def outcome_of(item: Item) -> Outcome:
    """From a completed item."""
    status = item.get("status")
    match item.get("type"):
        case "commandExecution":
            return _command_outcome(item)
        case "fileChange":
            changes = [
                Change(path=change["path"], kind={"type": change["kind"]["type"]}, diff=change["diff"])
                for change in cast("list[Item]", item.get("changes") or [])
            ]
            if status == "completed":
                names = "\n".join(f"{change.kind['type']} {change.path}" for change in changes)
                return Outcome(content=f"The patch was applied:\n{names}", changes=changes)
            return Outcome(content="The patch could not be applied.", is_error=True)
        case "plan":
            steps = [PlanStep(step=str(step["step"]), status=str(step["status"])) for step in item["plan"]]
            return Outcome(content="The plan was updated.", todos=steps)
        case _:
            text = str(item.get("result") or item.get("error") or status or "done")
            return Outcome(content=text, is_error=status == "failed")


def told_outcome(text: str) -> Outcome:
    """From what Codex told its model, where it says no more about the end."""
    found = EXITED.search(text)
    if found is None:
        return Outcome(content=text)
    output = text.partition("\nOutput:\n")[2]
    return _command_outcome({"aggregatedOutput": output, "exitCode": int(found[1])})


def title(item: Item) -> str:
    """For the person: what it is about."""
    return str(item.get("command") or item.get("query") or item.get("path") or item.get("tool") or item.get("type"))


def _command_outcome(item: Item) -> Outcome:
    text, code = str(item.get("aggregatedOutput") or ""), item.get("exitCode")
    if item.get("status") == "declined":
        return Outcome(content="It was declined and did not run.", is_error=True)
    if code == 0:
        return Outcome(content=text or NOTHING, exit_code=0)
    if not isinstance(code, int):
        return Outcome(content=text or "It could not be run.", is_error=True)
    return Outcome(content=f"Exit code {code}\n{text or NOTHING}", is_error=True, exit_code=code)
