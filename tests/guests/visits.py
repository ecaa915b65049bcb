"""What does a guest do in one long turn? All that several tests look at, told apart by the names of its steps.

A guest is slow to start, so it comes once: its model wants one thing after the other, by a script, and each test looks
at what came of the steps that it is about. Nothing is changed afterwards.
"""

import json
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from tests.guests.dialects import Dialect
from tests.toolbox.model_server import Call, ModelServer, Recorded, Reply, say, think
from tests.toolbox.program import Finished

PLUGIN = [sys.executable, str(Path(__file__).parents[2] / "examples" / "mcp_plugin" / "server.py")]
STEERING = (".git/hooks/pre-commit", ".claude/settings.json", ".mcp.json", "daedal.toml")
MAKING = "mkdir -p .claude; "
PROMPT = "Go. And what is in @secret.txt, and /help?"
LAST = think("Hm.").but(parts=[*think("Hm.").parts, *say("Hello there.", 3).parts])
REACH = "import socket; socket.create_connection(('127.0.0.1', {port}), 5)"
"""A program that tries to reach the model by itself."""
CALL_ID = re.compile(r'"call_id": "([^"]+)"')

Step = tuple[str, Reply | Callable[[Recorded], Reply]]


@dataclass
class Visit:
    guest: Dialect
    done: Finished
    requests: list[Recorded]
    ids: dict[str, list[str]]
    """Of each step's calls."""

    @property
    def workspace(self) -> Path:
        return self.guest.daedal.workspace

    def result(self, step: str) -> dict[str, Any]:
        """As it is on the record."""
        (found,) = self.results(step)
        return found

    def results(self, step: str) -> list[dict[str, Any]]:
        found = {each["tool_use_id"]: each for each in self._results}
        return [found[call_id] for call_id in self.ids[step]]

    def verdict(self, step: str) -> tuple[str, str, str]:
        """The tool, what was decided, and by which rule."""
        (found,) = self.verdicts(step)
        return found

    def verdicts(self, step: str) -> list[tuple[str, str, str]]:
        """In the order in which it was decided."""
        return [
            (tool, decision, json.loads(reason)["rule"])
            for call_id, tool, decision, reason in self.guest.daedal.rows(
                "SELECT tool_use_id, tool_name, decision, reason_json FROM tool_permission_log ORDER BY id"
            )
            if call_id in self.ids[step]
        ]

    def told(self, step: str) -> str:
        """What its model was told about it."""
        body = self.requests[-1].json
        blocks = [block for message in body.get("messages", ()) for block in message["content"]]
        entries = blocks if blocks else body["input"]
        keys = ("tool_use_id", "call_id")
        found = [
            each
            for each in entries
            if isinstance(each, dict)
            and any(each.get(key) in self.ids[step] for key in keys)
            and each["type"] not in ("function_call", "custom_tool_call")
        ]
        assert found, f"its model heard nothing of {step}"
        return json.dumps(found)

    @cached_property
    def told_ever(self) -> str:
        """All that its model was ever told."""
        return json.dumps([request.json for request in self.requests])

    def kinds_about(self, step: str) -> list[str]:
        """The entries of the record from what was said before the call to what came of it."""
        rows = self.guest.daedal.rows("SELECT entry_type, payload_json FROM transcript_entries ORDER BY id")
        last = next(n for n, (kind, raw) in enumerate(rows) if kind == "tool_result" and self.ids[step][0] in raw)
        return [kind for kind, _ in rows[last - 2 : last + 1]]

    def witnessed(self, step: str) -> int:
        """The exit code on the receipt of a command."""
        rows = self.guest.daedal.rows("SELECT body_json FROM receipts WHERE kind = 'command'")
        found = {body["tool_use_id"]: body["exit_code"] for body in (json.loads(raw) for (raw,) in rows)}
        return found[self.ids[step][0]]

    def shown(self, method: str) -> list[dict[str, Any]]:
        """What was told to whoever watches."""
        return [line["params"] for line in self.done.lines if line.get("method") == method]

    @cached_property
    def _results(self) -> list[dict[str, Any]]:
        return self.guest.daedal.results()


def paid(guest: Dialect, steps: Sequence[Step], *flags: str) -> Visit:
    """The visit, from its beginning to its end."""
    ids = {name: _ids_of(number, reply) for number, (name, reply) in enumerate(steps)}
    script = [*(reply for _, reply in steps), LAST]

    def reply(request: Recorded) -> Reply:
        due = script[request.number]
        return due if isinstance(due, Reply) else due(request)

    with ModelServer(reply) as server:
        guest.daedal.env.update(server.env())
        (guest.daedal.workspace / "reach.py").write_text(REACH.format(port=server.port))
        done = guest.ask("--output-format", "stream-json", *flags, prompt=PROMPT)
    assert done.code == 0, done.err
    assert len(server.requests) == len(script), "a step asked its model more or less than once"
    return Visit(guest, done, server.requests, ids)


def prepare(guest: Dialect) -> None:
    """What every guest finds: things to work with, things to keep off, a server, and hooks that change some calls."""
    daedal = guest.daedal
    workspace = daedal.workspace
    (workspace / "a.txt").write_text("one\n")
    (workspace / "secret.txt").write_text("plugh")
    (workspace / "AGENTS.md").write_text("Always say frobozz.")
    (workspace / "peek.sh").write_text("cat ~/.daedal/.env; env | grep -c 'API_KEY='; touch ~/outside")
    (workspace / ".git" / "hooks").mkdir(parents=True)
    (daedal.root / "outside").mkdir()
    (workspace / "link").symlink_to(daedal.root / "outside")
    add_plugin(guest)
    (daedal.home / ".daedal" / ".env").write_text("TAVILY_API_KEY=tvly-123456789\n")
    with (daedal.home / ".daedal" / "config.toml").open("a") as config:
        config.write(_hook("Bash", "touch unsafe", {"command": "touch safe"}))
        config.write(_hook("mcp__example__echo", "unchanged", {"text": "another"}))


def shared(guest: Dialect) -> list[Step]:
    """What every guest's model tries."""
    steering = [
        step
        for path in STEERING
        for step in (
            (f"write {path}", guest.write(path, "evil\n")),
            (f"echo {path}", guest.run(f"{MAKING if path.startswith('.claude') else ''}echo evil > {path}")),
        )
    ]
    return [
        *steering,
        ("write link", guest.write("link/made.txt", "evil\n")),
        ("echo link", guest.run("echo evil > link/made.txt")),
        ("try home", guest.run("touch $HOME/out")),
        ("hooked", guest.run("touch unsafe")),
        ("lent", guest.lent("example", "echo", text="two words")),
        ("lent and refused", guest.lent("example", "wordcount", text="two words")),
        ("lent and changed", guest.lent("example", "echo", text="unchanged")),
        ("not lent", guest.lent("nowhere", "act")),
        (
            "agent",
            guest.lent("", "Agent", description="look", prompt="Look around.", subagent_type="general-purpose"),
        ),
        ("agent's", guest.run("touch forbidden")),
        ("agent's words", say("It is empty.")),
    ]


SHARED_FLAGS = (
    *("--allow", "Write", "--allow", "Bash(mkdir:*)", "--allow", "Bash(echo:*)"),
    *("--allow", "mcp__example__echo", "--allow", "mcp__nowhere"),
    *("--deny", "mcp__example__wordcount", "--deny", "Bash(touch forbidden)", "--deny", "Read(secret.txt)"),
)


def add_plugin(guest: Dialect) -> None:
    assert guest.daedal("mcp", "add", "example", "--", *PLUGIN).code == 0


def _ids_of(number: int, reply: Reply | Callable[[Recorded], Reply]) -> list[str]:
    if not isinstance(reply, Reply):
        return [f"toolu_{number:04}_0"]
    if reply.body is not None:
        return CALL_ID.findall(reply.body)
    return [part.id_at(number, position) for position, part in enumerate(reply.parts) if isinstance(part, Call)]


def _hook(matcher: str, words: str, changed: dict[str, str]) -> str:
    """Changes the calls of that tool that have these words in them."""
    told = {"hookSpecificOutput": {"hookEventName": "PreToolUse", "updatedInput": changed}}
    command = f"if grep -q '{words}'; then echo '{json.dumps(told)}'; fi"
    return f"\n[[hooks]]\nhook_event_name = 'PreToolUse'\nmatcher = '{matcher}'\ncommand = '''{command} '''\n"
