"""Is a known credential anywhere in Daedal's own folder, whichever way it came? Every file of it is searched.

Left out on purpose: the saved keys themselves (`.env`), and pre-images, which are byte copies of the user's own files,
readable by nobody else. Not covered, as nothing can be replaced that is not recognised: a key that a command prints in
pieces, backwards or encrypted.
"""

import base64
import json
import signal
import stat
from pathlib import Path

import pytest

from tests.journeys.test_bad_input import configure
from tests.toolbox.model_server import call, calls, fail, malformed, say, stall
from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement

KEY = 'sk-ant-api03/"quoted"+very/secret\\0123'
"""With signs that JSON, URLs and shells each write in their own way."""

PLAIN = "sk-ant-api03-very-secret-0123456789"


def spellings(key: str) -> list[bytes]:
    """How the key could stand in a file without being seen by whoever looks for its letters."""
    inner = json.dumps(key)[1:-1]
    raw = key.encode()
    forms = [
        raw,
        inner.encode(),
        json.dumps(inner)[1:-1].encode(),
        key.replace("/", "\\/").encode(),
        raw.hex().encode(),
    ]
    forms += [base64.b64encode(raw), base64.urlsafe_b64encode(raw).rstrip(b"=")]
    return forms


def leaks(daedal: Daedal, *keys: str, further: tuple[Path, ...] = ()) -> list[str]:
    """Every file of Daedal's that holds one of the keys, the saved keys and pre-images aside."""
    folder = daedal.home / ".daedal"
    files = [path for path in folder.rglob("*") if path.is_file() and path.name != ".env"]
    files = [path for path in files if not any(part.endswith(".db-files") for part in path.parts)]
    found: list[str] = []
    for path in (*files, *further):
        content = path.read_bytes()
        found += [f"{path.name}: {form!r}" for key in keys for form in spellings(key) if form in content]
    return found


@requirement("SD-07")
@pytest.mark.parametrize("key", [PLAIN, KEY])
def test_a_key_in_the_environment_is_nowhere_after_a_turn_that_met_it_on_every_way(daedal: Daedal, model, key: str):
    (daedal.workspace / "leak.txt").write_text(f"key = {key}\n")
    (daedal.workspace / "leak.json").write_text(json.dumps({"key": key}))
    (daedal.workspace / "AGENTS.md").write_text(f"The key is {key}.\n")
    configure(
        daedal,
        '[[hooks.PreToolUse]]\ncommand = "cat; echo; echo $ANTHROPIC_API_KEY >&2"\n'
        '[[hooks.PostToolUse]]\ncommand = "printf %s \\"$ANTHROPIC_API_KEY\\""\n'
        '[[hooks.UserPromptSubmit]]\ncommand = "cat leak.json"\n'
        '[[hooks.SessionStart]]\ncommand = "echo $ANTHROPIC_API_KEY"\n',
    )
    server = model(
        [
            say(f"I see {key}.")
            + calls(
                ("Read", {"file_path": "leak.txt"}),
                ("Grep", {"pattern": "key", "output_mode": "content"}),
                ("Bash", {"command": "cat leak.txt leak.json; cat leak.txt >&2; exit 3"}),
                ("Bash", {"command": f"echo '{key}'", "description": key}),
                ("Write", {"file_path": "copy.txt", "content": key}),
                ("Edit", {"file_path": "leak.txt", "old_string": "key =", "new_string": "KEY ="}),
                ("Read", {"file_path": f"missing-{key.replace('/', '_')}"}),
                ("Glob", {"pattern": key}),
                ("Teleport", {key: key}),
            ),
            malformed("Bash", '{"command": "' + json.dumps(key)[1:-1]),
            say(f"Done with {key}."),
        ]
    )
    cassette = daedal.root / "cassette.jsonl"
    export = daedal.root / "export.jsonl"
    run = daedal("exec", f"Use {key}.", "--approval", "yolo", "--record", str(cassette), ANTHROPIC_API_KEY=key)
    assert run.code == 0, run.err
    export.write_text(daedal("export", daedal.session, ANTHROPIC_API_KEY=key).out)
    assert daedal.rows("SELECT count(*) > 10 FROM hook_invocations") == [(1,)]
    assert leaks(daedal, key, further=(cassette, export)) == []
    sent = b"".join(request.body for request in server.requests)
    assert not [form for form in spellings(key) if form in sent]


@requirement("SD-07")
def test_a_saved_key_is_nowhere_but_in_its_file(daedal: Daedal, model):
    saved = daedal.home / ".daedal" / ".env"
    saved.parent.mkdir()
    saved.write_text(f"ANTHROPIC_API_KEY={PLAIN}\nACME_SECRET=acme-very-secret-value\n")
    saved.chmod(0o600)
    (daedal.workspace / "leak.txt").write_text(f"{PLAIN} acme-very-secret-value\n")
    model([calls(("Read", {"file_path": "leak.txt"}), ("Bash", {"command": "cat leak.txt"})), say("Done.")])
    daedal.env.pop("ANTHROPIC_API_KEY", None)
    daedal("exec", f"{PLAIN} acme-very-secret-value", "--approval", "yolo")
    assert leaks(daedal, PLAIN, "acme-very-secret-value") == []


@requirement("SD-07")
@pytest.mark.parametrize("status", [401, 400, 500])
def test_an_endpoint_that_echoes_the_key_does_not_bring_it_into_the_record(daedal: Daedal, model, status: int):
    configure(daedal, "[network]\nattempts_max = 2\nbackoff_base_s = 0.01\nbackoff_max_s = 0.02\n")
    model([fail(status, f"invalid x-api-key: {PLAIN}", x_debug=PLAIN)], after="repeat")
    run = daedal("exec", "Go.", ANTHROPIC_API_KEY=PLAIN)
    assert run.code != 0
    assert PLAIN not in run.err
    assert PLAIN not in run.out
    assert leaks(daedal, PLAIN) == []


@requirement("SD-07")
def test_a_key_in_settings_flags_and_rules_is_not_stored(daedal: Daedal, model):
    configure(
        daedal,
        f'[[hooks.Stop]]\ncommand = "true # {PLAIN}"\n[permissions]\nallow = ["Bash(echo {PLAIN})"]\n'
        f'[agent]\nsystem_prompt = "Use {PLAIN}."\n',
    )
    (daedal.workspace / "daedal.toml").write_text(f'[[hooks.Stop]]\ncommand = "echo {PLAIN}"\n')
    model([call("Bash", command=f"echo {PLAIN}"), say("Done.")])
    run = daedal(
        "exec", "Go.", "--deny", f"Bash(curl {PLAIN})", "--allow", f"Bash(ls {PLAIN})", ANTHROPIC_API_KEY=PLAIN
    )
    assert run.code == 0, run.err
    assert [leak for leak in leaks(daedal, PLAIN) if not leak.startswith("config.toml")] == []


@requirement("SD-07")
def test_what_only_the_settings_know_as_a_key_is_not_stored(daedal: Daedal, model):
    model([say("Done."), say("Done.")])
    configure(
        daedal,
        '[network]\nproxy = "http://me:proxy-word@127.0.0.1:9"\n[[providers]]\nname = "mine"\nkind = "anthropic"\n'
        'base_url = "http://127.0.0.1:9"\nmodel = "m"\nheaders = { X-Auth = "header-word", X-Title = "shown" }\n',
    )
    for _ in range(2):
        assert daedal("exec", "Go.", NO_PROXY="*").code == 0
    [stored] = daedal.rows("SELECT * FROM settings_snapshot WHERE scope = 'effective'")
    assert "shown" in str(stored)
    found = [leak for leak in leaks(daedal, "proxy-word", "header-word") if not leak.startswith("config.toml")]
    assert found == []


@requirement("SD-07")
def test_killed_in_the_middle_of_a_turn_nothing_is_left_behind(daedal: Daedal, model):
    (daedal.workspace / "leak.txt").write_text(f"{PLAIN}\n")
    read = call("Bash", command="cat leak.txt")
    server = model([read, stall(after=3, reply=say(f"It says {PLAIN} and more", chunks=8))])
    daedal.env["ANTHROPIC_API_KEY"] = PLAIN
    process = daedal.start("exec", f"Look for {PLAIN}.", "--approval", "yolo")
    server.wait_for_stall()
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert leaks(daedal, PLAIN) == []


@requirement("SD-07")
def test_a_bug_in_daedal_does_not_print_or_store_the_key(daedal: Daedal, model):
    """A table that is gone is what a bug looks like from outside."""
    import sqlite3

    model([call("Bash", command="true"), say("Done.")], after="cycle")
    assert daedal("exec", f"Use {PLAIN}.", ANTHROPIC_API_KEY=PLAIN).code == 0
    connection = sqlite3.connect(daedal.database)
    connection.execute("ALTER TABLE tool_permission_log RENAME TO gone")
    connection.commit()
    connection.close()
    run = daedal("exec", f"Use {PLAIN}.", ANTHROPIC_API_KEY=PLAIN)
    assert run.code != 0
    assert PLAIN not in run.err
    assert leaks(daedal, PLAIN) == []


@requirement("SD-07")
def test_what_a_hook_is_told_and_what_it_makes_of_a_call_holds_no_key(daedal: Daedal, model):
    told = daedal.root / "told.jsonl"
    answer = {
        "hookSpecificOutput": {
            "hookEventName": "PreToolUse",
            "permissionDecision": "allow",
            "permissionDecisionReason": PLAIN,
            "updatedInput": {"command": f"echo {PLAIN}"},
            "additionalContext": PLAIN,
        },
        "systemMessage": PLAIN,
    }
    (daedal.root / "answer.json").write_text(json.dumps(answer).replace("-", "\\u002d"))
    configure(daedal, f'[[hooks.PreToolUse]]\ncommand = "cat >> {told}; cat {daedal.root}/answer.json"\n')
    server = model([call("Bash", command=f"echo {PLAIN} here"), say("Done.")])
    assert daedal("exec", f"Use {PLAIN}.", ANTHROPIC_API_KEY=PLAIN).code == 0
    assert PLAIN not in told.read_text()
    assert leaks(daedal, PLAIN) == []
    assert all(PLAIN.encode() not in request.body for request in server.requests)


@requirement("SD-07")
def test_copies_of_the_users_files_are_for_nobody_else(daedal: Daedal, model):
    """A pre-image is the file as it was, to the byte: rewinding with less would spoil the user's file."""
    (daedal.workspace / "leak.txt").write_text(f"key = {PLAIN}\n")
    edit = {"file_path": "leak.txt", "old_string": "key", "new_string": "KEY"}
    model([calls(("Read", {"file_path": "leak.txt"}), ("Edit", edit)), say("Done.")])
    daedal("exec", "Go.", "--approval", "yolo", ANTHROPIC_API_KEY=PLAIN)
    folder = daedal.home / ".daedal"
    holders = [path for path in folder.rglob("*") if path.is_file() and PLAIN.encode() in path.read_bytes()]
    assert all(stat.S_IMODE(path.stat().st_mode) & 0o077 == 0 for path in holders)
    assert stat.S_IMODE(folder.stat().st_mode) & 0o077 == 0
