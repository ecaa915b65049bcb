"""Who works in a delivery's sessions? A scripted agent: for each session its replies, one after the other."""

import json
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.toolbox.model_server import ModelServer, Recorded, Reply, call, say
from tests.toolbox.program import Daedal, Finished

TEST = "python3 -m unittest -q"

DELIVERABLES = "mcp__deliverables__"


class Agent:
    """A scenario for the model server. A request without any reply in it begins the next session."""

    def __init__(self, *sessions: Sequence[Reply], after: Sequence[Reply] = ()) -> None:
        """`after` is played in every further session."""
        self._sessions = [list(session) for session in sessions]
        self._after = list(after)
        self.begun = 0
        self.first: list[dict[str, Any]] = []
        """The first request of each session."""

    def __call__(self, request: Recorded) -> Reply:
        depth = request.depth
        if depth == 0:
            self.begun += 1
            self.first.append(request.json)
        replies = self._sessions[self.begun - 1] if self.begun <= len(self._sessions) else self._after
        return replies[depth] if depth < len(replies) else say("Done.")

    def tools(self, session: int) -> set[str]:
        """Which deliverable tools the session was given."""
        names = (tool["name"] for tool in self.first[session]["tools"])
        return {name.removeprefix(DELIVERABLES) for name in names if name.startswith(DELIVERABLES)}

    def told(self, session: int) -> str:
        """The instruction that the session got."""
        return str(self.first[session]["messages"])


class Steady:
    """A scenario for the model server: whatever happened before, it plans when it can plan, and else it works."""

    def __init__(self, planning: Sequence[Reply], working: Sequence[Reply]) -> None:
        self._planning = list(planning)
        self._working = list(working)

    def __call__(self, request: Recorded) -> Reply:
        can_plan = any(tool["name"] == f"{DELIVERABLES}create" for tool in request.json["tools"])
        replies = self._planning if can_plan else self._working
        return replies[request.depth] if request.depth < len(replies) else say("Done.")


def create(*ids: str, criteria: Sequence[str] = ("it works",)) -> Reply:
    wanted = [{"id": one, "description": f"Feature {one}", "acceptanceCriteria": list(criteria)} for one in ids]
    return call(f"{DELIVERABLES}create", deliverables=wanted)


def claim(deliverable: str, command: str = "", status: str = "passed", criteria: int = 1) -> Reply:
    evidence = [{"criterion": number, "command": command} for number in range(1, criteria + 1)] if command else []
    told = {"evidence": evidence} if evidence else {}
    return call(f"{DELIVERABLES}set_status", deliverableId=deliverable, status=status, **told)


def verify(deliverable: str) -> Reply:
    return call(f"{DELIVERABLES}verify", deliverableId=deliverable)


def deprecate(deliverable: str) -> Reply:
    return call(f"{DELIVERABLES}deprecate", deliverableId=deliverable)


def listing(**wanted: Any) -> Reply:
    return call(f"{DELIVERABLES}list", **wanted)


def bash(command: str) -> Reply:
    return call("Bash", command=command)


def write(path: str, content: str) -> Reply:
    return call("Write", file_path=path, content=content)


def results(request: Recorded) -> list[str]:
    """What the tools have answered up to this request."""
    return [
        str(block.get("content"))
        for message in request.json["messages"]
        if isinstance(message["content"], list)
        for block in message["content"]
        if block.get("type") == "tool_result"
    ]


def prepared(daedal: Daedal) -> Daedal:
    """A project with a specification."""
    (daedal.workspace / "SPEC.md").write_text("# A calculator\n\nIt adds.\n")
    (daedal.root / "tmp").mkdir(exist_ok=True)
    # The temporary folder may be written, and a test lives in it.
    daedal.env["TMPDIR"] = str(daedal.root / "tmp")
    return daedal


def deliver(daedal: Daedal, *words: str, command: str = "run", **env: str) -> Finished:
    done = daedal(command, "--session-delay", "0", *words, **env)
    assert "Traceback" not in done.err
    assert "Daedal itself failed" not in done.err, done.err
    return done


def board(daedal: Daedal) -> dict[str, str]:
    """The status of each deliverable."""
    said = json.loads((daedal.workspace / ".daedal" / "status.json").read_text())
    return {
        one["id"]: "passed" if one["passed"] else "blocked" if one["blocked"] else "pending"
        for one in said["deliverables"]
    }


def plant(daedal: Daedal, **statuses: str) -> None:
    """A board as an earlier run left it: `CORE_001="passed"`."""
    deliverables = [
        {
            "id": key.replace("_", "-"),
            "description": f"Feature {key.replace('_', '-')}",
            "acceptanceCriteria": ["it works"],
            "passed": status == "passed",
            "blocked": status == "blocked",
        }
        | ({"deprecatedAt": "2025-01-10"} if status == "deprecated" else {})
        for key, status in statuses.items()
    ]
    folder = daedal.workspace / ".daedal"
    folder.mkdir(exist_ok=True)
    whole = {"createdAt": "2025-01-01", "updatedAt": "2025-01-01", "deliverables": deliverables}
    (folder / "status.json").write_text(json.dumps(whole))


def built(name: str, *, works: bool = True) -> list[Reply]:
    """Writes one module with a test for it, and runs all tests."""
    test = (
        f"import unittest\n\nimport {name}\n\n\nclass T(unittest.TestCase):\n"
        f"    def test_it(self):\n        self.assertTrue({name}.ok)\n"
    )
    return [write(f"{name}.py", f"ok = {works}\n"), write(f"test_{name}.py", test), bash(TEST)]


OTHER = "python3 -m unittest -q test_adding"
EMPTY = "python3 -c \"import unittest; print('Ran 0 tests in 0.000s')\""
HOLLOW = ["true", "echo ok", "ls", f"{TEST} || true", f"{TEST}; true", f"{TEST} | tail -1", "python3 -c pass"]


def attempts() -> dict[str, list[Reply]]:
    """By what is wrong with it, how an agent comes to claim CORE-001; the last one is right."""
    return {
        "nothing": [claim("CORE-001")],
        "never ran": [claim("CORE-001", OTHER)],
        "failed": [*built("adding", works=False), claim("CORE-001", TEST)],
        **{command: [bash(command), claim("CORE-001", command)] for command in HOLLOW},
        "no test": [bash(EMPTY), claim("CORE-001", EMPTY)],
        "too old": [
            write("adding.py", "ok = 1\n"),
            bash(TEST),
            write("adding.py", "ok = True\n"),
            claim("CORE-001", TEST),
        ],
        "green": [bash(TEST), bash("git init -q . && git add -A"), claim("CORE-001", TEST)],
    }


@dataclass
class Proved:
    """CORE-001 has passed by TEST in the first session, CORE-002 is blocked."""

    daedal: Daedal
    done: Finished
    answers: dict[str, str]
    """To each of the attempts."""

    def copy(self, daedal: Daedal) -> Daedal:
        """The same project with the same home, elsewhere."""
        shutil.copytree(self.daedal.root, daedal.root, dirs_exist_ok=True, symlinks=True)
        return prepared(daedal)


def delivered_once(root: Path) -> Proved:
    daedal, tried = prepared(Daedal(root)), attempts()
    plant(daedal, CORE_001="pending", CORE_002="blocked")
    with ModelServer(Agent([*(reply for steps in tried.values() for reply in steps), say("Done.")])) as server:
        daedal.env.update(server.env())
        done = deliver(daedal)
    told, answers = iter(results(server.requests[-1])), dict[str, str]()
    for name, steps in tried.items():
        answers[name] = [next(told) for _ in steps][-1]
    return Proved(daedal, done, answers)
