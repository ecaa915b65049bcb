"""How does each engine's model say the same thing? A command, a new file, and a call of a tool that is lent."""

import itertools
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests.guests.patching import codex_reply, patch
from tests.toolbox.model_server import Recorded, Reply, call
from tests.toolbox.program import Daedal, Finished

NUMBERS = itertools.count(1)


@dataclass
class Dialect:
    daedal: Daedal
    name: str
    flags: tuple[str, ...]
    run: Callable[[str], Reply]
    write: Callable[[str, str], Reply]
    """By a path inside the project."""
    lent: Callable[..., Reply]
    """Of a server's tool: `lent("server", "tool", key=value)`; of our own where the server is empty."""
    told: Callable[[Recorded], str]
    """All that the model was told in a request."""
    offered: Callable[[Recorded], set[str]]
    """The names of the tools in a request, those of servers as `server/tool`."""

    def ask(self, *more: str, prompt: str = "Go.") -> Finished:
        return self.daedal("exec", prompt, *self.flags, *more)

    @property
    def options(self) -> dict[str, str]:
        """The model, for a client that starts threads."""
        return {"model": "gpt-5.5"} if self.name == "codex" else {}

    def verdicts(self) -> list[tuple[str, str, str]]:
        rows = self.daedal.rows("SELECT tool_name, decision, reason_json FROM tool_permission_log ORDER BY id")
        return [(tool, decision, json.loads(reason)["rule"]) for tool, decision, reason in rows]


def codex_dialect(daedal: Daedal) -> Dialect:
    def write(path: str, content: str) -> Reply:
        lines = [f"+{line}" for line in content.splitlines()]
        return patch(f"call_{next(NUMBERS)}", f"*** Add File: {path}", *lines)

    def lent(server: str, tool: str, **given: Any) -> Reply:
        space = {"namespace": f"mcp-{server}"} if server else {}
        return codex_reply(f"call_{next(NUMBERS)}", "function_call", name=tool, arguments=json.dumps(given), **space)

    def offered(request: Recorded) -> set[str]:
        found: set[str] = set()
        for tool in request.json["tools"]:
            space = tool["name"].removeprefix("mcp-") if tool["type"] == "namespace" else ""
            inside = tool["tools"] if space else [tool]
            found |= {f"{space}/{one['name']}" if space else str(one.get("name")) for one in inside}
        return found

    return Dialect(
        daedal=daedal,
        name="codex",
        flags=("--engine", "codex", "--model", "gpt-5.5"),
        run=lambda command: call("exec_command", cmd=command, login=False),
        write=write,
        lent=lent,
        told=lambda request: json.dumps(request.json["input"]),
        offered=offered,
    )


def claude_dialect(daedal: Daedal) -> Dialect:
    def offered(request: Recorded) -> set[str]:
        names = [tool["name"] for tool in request.json["tools"]]
        plain = [name.removeprefix("mcp__daedal__") for name in names]
        return {"/".join(name.split("__", 2)[1:]) if name.startswith("mcp__") else name for name in plain}

    return Dialect(
        daedal=daedal,
        name="claude",
        flags=("--engine", "claude"),
        run=lambda command: call("Bash", command=command),
        write=lambda path, content: call("Write", file_path=str(daedal.workspace / path), content=content),
        lent=lambda server, tool, **given: call(f"mcp__{server or 'daedal'}__{tool}", **given),
        told=lambda request: json.dumps(request.json["messages"]),
        offered=offered,
    )
