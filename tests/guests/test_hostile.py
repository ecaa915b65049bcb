"""Can Codex's newer models get past our gate? They do everything by scripts, and can give out tasks."""

import json

from tests.guests.patching import codex_reply
from tests.toolbox.model_server import say
from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement

WANTED = (
    'tools.exec_command({cmd: "touch forbidden"})',
    'tools.exec_command({cmd: "touch allowed"})',
    'tools.apply_patch("*** Begin Patch\\n*** Add File: secret/key.txt\\n+x\\n*** End Patch\\n")',
)
SCRIPT = f"const r = await Promise.allSettled([{', '.join(WANTED)}]); text(JSON.stringify(r));"
TASK = json.dumps({"task_name": "x", "message": "touch made"})


@requirement("DX-11")
def test_each_call_of_a_script_is_judged_and_no_task_is_given_out_past_us(codex: Daedal, model):
    script = codex_reply("call_script", "custom_tool_call", name="exec", namespace="functions", input=SCRIPT)
    spawn = codex_reply("call_spawn", "function_call", name="spawn_agent", namespace="collaboration", arguments=TASK)
    server = model([script, spawn, say("Done."), say("Done.")])
    flags = ("--deny", "Bash(touch forbidden)", "--deny", "Write(secret/**)")
    done = codex("exec", "Go.", "--engine", "codex", *flags)
    assert (done.code, done.out.strip().splitlines()[-1]) == (0, "Done."), done.err
    assert (codex.workspace / "allowed").exists()
    assert not (codex.workspace / "forbidden").exists()
    assert not (codex.workspace / "secret").exists()
    assert "Permission denied by deny: Bash(touch forbidden)" in json.dumps(server.requests[-1].json["input"])
    decided = sorted(decision for (decision,) in codex.rows("SELECT decision FROM tool_permission_log"))
    assert decided == ["allow", "deny", "deny"]
    assert '"name": "spawn_agent"' not in json.dumps(server.requests[0].json)
    assert codex.rows("SELECT count(*) FROM sessions") == [(1,)]
    assert not (codex.workspace / "made").exists()
