"""What does Claude try when it comes? What every guest tries, and what only Claude's tools can do."""

from tests.guests.dialects import Dialect
from tests.guests.visits import SHARED_FLAGS, Step, Visit, paid, prepare, shared
from tests.toolbox.model_server import Call, call, calls

TODOS = [
    {"content": "look", "status": "completed", "activeForm": "looking"},
    {"content": "act", "status": "in_progress", "activeForm": "acting"},
]
NOT_GIVEN = ("Task", "Agent", "KillShell", "Skill", "mcp__claude__x")


def claude_visit_by(guest: Dialect) -> Visit:
    prepare(guest)
    outside = guest.daedal.root / "outside.txt"
    allowed = ["Read", "Grep", "Bash(cat:*)", "Bash(sh:*)", f"Write(/{outside})", *NOT_GIVEN]
    flags = [word for rule in allowed for word in ("--allow", rule)]
    return paid(guest, [*shared(guest), *_own(guest)], *SHARED_FLAGS, *flags)


def _own(guest: Dialect) -> list[Step]:
    daedal = guest.daedal
    workspace, keys = daedal.workspace, daedal.home / ".daedal"
    a_file = str(workspace / "a.txt")
    together = [("Read", {"file_path": a_file}), ("Glob", {"pattern": "*"})]
    together += [("Bash", {"command": "touch forbidden"}), ("Bash", {"command": "echo c > c"})]
    return [
        ("leave", call("Bash", command="touch $HOME/out", dangerouslyDisableSandbox=True)),
        ("secret", call("Read", file_path=str(workspace / "secret.txt"))),
        ("echo", guest.run("echo two > b.txt")),
        ("peek", guest.run("sh peek.sh")),
        ("exit", guest.run("touch made; exit 3")),
        ("reach", guest.run("python3 reach.py")),
        ("together", calls(*(Call(tool, given) for tool, given in together))),
        ("edit", call("Edit", file_path=a_file, old_string="one", new_string="two")),
        ("new", call("Write", file_path=str(workspace / "new.txt"), content="hello\n")),
        ("outside", call("Write", file_path=str(daedal.root / "outside.txt"), content="hello")),
        ("plan", call("TodoWrite", todos=TODOS)),
        ("read keys", call("Read", file_path=str(keys / ".env"))),
        ("grep keys", call("Grep", pattern="TAVILY", path=str(keys), output_mode="content")),
        ("grep home", call("Grep", pattern="TAVILY", path=str(daedal.home), output_mode="content", glob="**/.env")),
        ("cat keys", call("Bash", command=f"cat {keys}/.env")),
        ("fetch", call("WebFetch", url="https://example.com/?leak=1", prompt="x")),
        *((name, call(name, prompt="x", description="d", subagent_type="general-purpose")) for name in NOT_GIVEN),
    ]
