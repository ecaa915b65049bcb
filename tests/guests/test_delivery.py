"""Does an unattended run work on every engine? From a specification to a proven deliverable, within the guard."""

import json
import time

from tests.guests.dialects import Dialect, claude_dialect, codex_dialect
from tests.journeys.delivering import TEST, Agent, board, deliver, plant, prepared
from tests.toolbox.model_server import Reply, fail, say
from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement

PLAN = [{"id": "CORE-001", "description": "It adds.", "acceptanceCriteria": ["it works"]}]
CODE = "def add(a, b):\n    return a + b\n"
CHECK = (
    "import unittest\n\nfrom adding import add\n\n\nclass T(unittest.TestCase):\n"
    "    def test_it(self):\n        self.assertEqual(add(1, 2), 3)\n"
)


def claim(guest: Dialect) -> Reply:
    evidence = [{"criterion": 1, "command": TEST}]
    return guest.lent("deliverables", "set_status", deliverableId="CORE-001", status="passed", evidence=evidence)


def run(guest: Dialect, *more: str):
    flags = ("--engine", guest.name, *(("-m", "gpt-5.5", "-pm", "gpt-5.5") if guest.name == "codex" else ()))
    return deliver(guest.daedal, *flags, *more)


@requirement("AU-01", "DX-11")
def test_a_specification_becomes_software_on_each_engine(guest: Dialect, model):
    prepared(guest.daedal)
    agent = Agent(
        [guest.lent("deliverables", "create", deliverables=PLAN), say("Planned.")],
        [
            claim(guest),  # Too early: nothing was run yet.
            guest.write("adding.py", CODE),
            guest.write("test_adding.py", CHECK),
            guest.run(TEST),
            claim(guest),
            say("Done."),
        ],
    )
    server = model(agent)
    done = run(guest)
    assert done.code == 0, done.out + done.err
    assert board(guest.daedal) == {"CORE-001": "passed"}
    assert "All achievable deliverables passed" in done.out
    assert "deliverables/create" in guest.offered(server.requests[0])
    assert "deliverables/set_status" in guest.offered(server.requests[-1])
    early, late = [
        is_error
        for name, is_error in guest.daedal.rows(
            "SELECT json_extract(u.payload_json, '$.name'), json_extract(r.payload_json, '$.is_error') FROM"
            " transcript_entries u JOIN transcript_entries r ON json_extract(u.payload_json, '$.id') ="
            " json_extract(r.payload_json, '$.tool_use_id') WHERE u.entry_type = 'tool_use' ORDER BY u.id"
        )
        if name == "mcp__deliverables__set_status"
    ]
    assert (early, late) == (1, 0)
    assert {provider for (provider,) in guest.daedal.rows("SELECT provider FROM sessions")} == {guest.name}
    kinds = [kind for (kind,) in guest.daedal.rows("SELECT kind FROM receipts")]
    assert "command" in kinds
    assert guest.daedal("receipts", "verify").code == 0


@requirement("AU-14", "DX-11")
def test_the_guard_holds_on_each_engine(guest: Dialect, model):
    prepared(guest.daedal)
    plant(guest.daedal, CORE_001="pending")
    outside = guest.daedal.root / "outside.txt"
    outside.write_text("mine\n")
    status = (guest.daedal.workspace / ".daedal" / "status.json").read_text()
    forged = status.replace('"passed": false', '"passed": true')
    bad = [
        guest.run(f"rm {outside}"),
        guest.run(f"rm -rf {guest.daedal.root}/home"),
        guest.write(".daedal/status.json", forged),
        guest.run(f"echo '{forged}' > .daedal/status.json"),
        guest.run("python3 -c \"open('.daedal/status.json', 'w').write('{}')\""),
        guest.run("curl http://127.0.0.1:1/"),
        say("I give up."),
    ]
    model(Agent(bad))
    done = run(guest, "-n", "1")
    assert done.code == 53, done.out + done.err
    assert outside.read_text() == "mine\n"
    assert (guest.daedal.home / ".daedal").is_dir()
    assert (guest.daedal.workspace / ".daedal" / "status.json").read_text() == status
    decided = [decision for _, decision, _ in guest.verdicts()]
    assert decided[:4] == ["deny"] * 4


@requirement("AU-10", "DX-11")
def test_the_quota_of_claude_is_waited_for_until_the_time_that_claude_knows(claude: Daedal, model):
    guest = claude_dialect(prepared(claude))
    plant(claude, CORE_001="pending")
    resets_at = int(time.time()) + 3
    spent = {
        "anthropic_ratelimit_unified_status": "rejected",
        "anthropic_ratelimit_unified_reset": str(resets_at),
        "anthropic_ratelimit_unified_representative_claim": "five_hour",
    }
    # Its words name minutes only; the time is known to the second.
    model(Agent([fail(429, "This request would exceed your account's rate limit.", **spent)], [say("Back again.")]))
    token = {"CLAUDE_CODE_OAUTH_TOKEN": "sk-ant-oat-123456789", "ANTHROPIC_API_KEY": ""}
    done = deliver(claude, *guest.flags, "-n", "2", "--wait-for-quota", "--json", **token)
    assert done.code == 53, done.out + done.err
    kinds = [line["type"] for line in done.lines]
    assert "waiting" in kinds, kinds
    assert time.time() >= resets_at


def test_the_quota_of_codex_is_known_by_its_time_too(codex: Daedal, model):
    guest = codex_dialect(prepared(codex))
    plant(codex, CORE_001="pending")
    resets_at = int(time.time()) + 3
    body = {"error": {"type": "usage_limit_reached", "message": "no more", "resets_at": resets_at, "plan_type": "plus"}}
    spent = {
        "x_codex_primary_used_percent": "100",
        "x_codex_primary_window_minutes": "300",
        "x_codex_primary_reset_at": str(resets_at),
    }
    model(Agent([fail(429, body=json.dumps(body), **spent)], [say("Back again.")]))
    done = run(guest, "-n", "2", "--wait-for-quota", "--json")
    assert done.code == 53, done.out + done.err
    assert "waiting" in [line["type"] for line in done.lines]
    assert time.time() >= resets_at
