"""What does Codex try when it comes? What every guest tries, and what only Codex's tools can do."""

import json
import re

from tests.guests.dialects import Dialect
from tests.guests.patching import patch
from tests.guests.visits import SHARED_FLAGS, Step, Visit, paid, prepare, shared
from tests.toolbox.model_server import Call, Recorded, Reply, call, calls

PLAN = [{"step": "look", "status": "completed"}, {"step": "act", "status": "in_progress"}]
ESCAPE = {"sandbox_permissions": "require_escalated", "justification": "please", "prefix_rule": ["touch"]}
DISGUISED = "*** Begin Patch\n*** Add File: secret/disguised.txt\n+x\n*** End Patch"


def codex_visit_by(guest: Dialect) -> Visit:
    prepare(guest)
    workspace = guest.daedal.workspace
    (workspace / "d.txt").write_text("one\n")
    (workspace / "gone.txt").write_text("bye\n")
    (workspace / "secret.png").write_bytes(b"xyzzy")
    shell = workspace / "bash"
    shell.write_text("#!/bin/sh\ntouch by-own-shell\n")
    shell.chmod(0o755)
    outside = guest.daedal.root / "outside.txt"
    flags = ["--allow", f"Write(/{outside})", "--allow", "Bash(pwd:*)"]
    flags += ["--deny", "Bash(ls:*)", "--deny", "Write(secret/**)", "--deny", f"Bash({shell}:*)"]
    return paid(guest, [*shared(guest), *_own(guest)], *SHARED_FLAGS, *flags)


def _run(command: str, **more: object) -> Reply:
    return call("exec_command", cmd=command, login=False, **more)


def _own(guest: Dialect) -> list[Step]:
    workspace = guest.daedal.workspace
    together = ["echo a > a", "touch forbidden", "echo c > c"]
    update = ["*** Update File: a.txt", "@@", "-one", "+two"]
    return [
        ("leave", _run("touch $HOME/out", **ESCAPE)),
        ("cat", _run("cat a.txt; printf 'two\\n' > b.txt")),
        ("touch home", _run("touch $HOME/outside")),
        ("ls", _run("ls")),
        ("peek", _run("sh peek.sh")),
        ("together", calls(*(Call("exec_command", {"cmd": each, "login": False}) for each in together))),
        ("patch", patch("patch", *update, "*** Add File: new.txt", "+hello", "*** Delete File: gone.txt")),
        (
            "patch secret",
            patch("patch_secret", "*** Update File: d.txt", "@@", "-one", "+two", "*** Add File: secret/key.txt", "+x"),
        ),
        ("patch outside", patch("patch_outside", f"*** Add File: {guest.daedal.root}/outside.txt", "+hello")),
        ("disguised", _run(f"apply_patch <<'EOF'\n{DISGUISED}\nEOF")),
        ("plan", call("update_plan", plan=PLAN)),
        ("own shell", _run("pwd", shell=str(workspace / "bash"))),
        ("picture", call("view_image", path=str(workspace / "secret.png"))),
        ("terminal", _run("sh", tty=True)),
        ("no input", _run("cat; touch after")),
        ("long", _run("sleep 2; cat > typed; echo over", yield_time_ms=250)),
        ("typed", lambda request: _to_running(request, chars="evil\n")),
        ("waited", _to_running),
    ]


def _to_running(request: Recorded, **typed: str) -> Reply:
    """To the command that still runs."""
    found = re.findall(r"session ID (\d+)", json.dumps(request.json["input"]))
    return call("write_stdin", session_id=int(found[-1]), yield_time_ms=5000, **typed)
