"""Does a known credential ever reach the model, the ledger or an export?"""

import pytest

from tests.toolbox.model_server import call, calls, malformed, say
from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement

KEY = "sk-ant-very-secret-0123456789"


@requirement("SD-07")
def test_a_known_key_is_replaced_wherever_it_enters(daedal: Daedal, model, tmp_path):
    (daedal.workspace / "leak.txt").write_text(f"key = {KEY}\n")
    (daedal.workspace / "AGENTS.md").write_text(f"The key is {KEY}.")
    server = model(
        [
            calls(
                ("Read", {"file_path": "leak.txt"}),
                ("Bash", {"command": "cat leak.txt; env"}),
                ("Edit", {"file_path": "leak.txt", "old_string": "key =", "new_string": "KEY ="}),
            ),
            say("Done."),
        ]
    )
    cassette = tmp_path / "cassette.jsonl"
    run = daedal("exec", f"My key is {KEY}.", "--approval", "yolo", "--record", str(cassette), ANTHROPIC_API_KEY=KEY)
    assert run.code == 0
    for request in server.requests:
        assert KEY.encode() not in request.body
    assert b"[REDACTED:ANTHROPIC_API_KEY]" in server.requests[1].body
    for file in [cassette, *(path for path in daedal.home.rglob("daedal.db*") if path.is_file())]:
        assert KEY.encode() not in file.read_bytes(), file
    assert KEY not in daedal("export", daedal.session).out
    assert KEY in (daedal.workspace / "leak.txt").read_text()


@requirement("SD-07")
def test_commands_get_an_environment_without_provider_credentials(daedal: Daedal, model):
    model([call("Bash", command="env"), say("Done.")])
    daedal("exec", "x", "--approval", "yolo", OPENAI_API_KEY="another-secret-key", HARMLESS="visible")
    content = daedal.results()[0]["content"]
    assert "HARMLESS=visible" in content
    assert "API_KEY" not in content


@requirement("SD-07")
def test_saved_keys_are_hidden_even_when_others_are_in_use_and_what_is_no_secret_is_not(daedal: Daedal, model):
    saved = daedal.home / ".daedal" / ".env"
    saved.parent.mkdir()
    saved.write_text(
        "ANTHROPIC_API_KEY=sk-saved-anthropic-key\nACME_TOKEN=saved-acme-token\nOPENAI_BASE_URL=https://api.openai.com/v1\n"
    )
    saved.chmod(0o600)
    server = model(
        [
            calls(
                ("Bash", {"command": f"cat {saved}"}),
                ("Write", {"file_path": "a.py", "content": "URL = 'https://api.openai.com/v1'"}),
            ),
            say("Done."),
        ]
    )
    assert daedal("exec", "x", "--approval", "yolo", ANTHROPIC_API_KEY=KEY).code == 0
    for value in ("sk-saved-anthropic-key", "saved-acme-token", KEY):
        assert value.encode() not in server.requests[-1].body
        assert value not in daedal.results()[0]["content"]
    assert (daedal.workspace / "a.py").read_text() == "URL = 'https://api.openai.com/v1'"


@requirement("SD-07")
def test_a_key_in_a_call_by_hand_or_behind_json_escapes_is_hidden_too(daedal: Daedal, model):
    daedal(
        "--eval", '{"tool":"Bash","input":{"command":"echo ' + KEY + '"}}', "--approval", "yolo", ANTHROPIC_API_KEY=KEY
    )
    escaped = KEY.replace("-", "\\u002d")
    model([malformed("Bash", f'{{"command": "echo {escaped} > out"}}'), say("Done.")])
    daedal("exec", "x", "--approval", "yolo", ANTHROPIC_API_KEY=KEY)
    for file in daedal.database.parent.rglob("daedal.db*"):
        if file.is_file():
            assert KEY.encode() not in file.read_bytes()
    assert "REDACTED" in (daedal.workspace / "out").read_text()


@requirement("SD-07")
def test_a_search_of_the_folder_above_passes_daedals_own_files_over(daedal: Daedal, model):
    saved = daedal.home / ".daedal" / ".env"
    saved.parent.mkdir()
    saved.write_text("PLAIN_NOTE=findme-in-the-keys\n")
    saved.chmod(0o600)
    (daedal.home / "notes.txt").write_text("findme-in-the-notes\n")
    grep = {"pattern": "findme", "output_mode": "content"}
    model(
        [calls(("Grep", grep), ("Grep", {**grep, "path": ".daedal"}), ("Glob", {"pattern": "**/.env"})), say("Done.")]
    )
    assert daedal("exec", "x", cwd=daedal.home).code == 0
    first, second, third = (result["content"] for result in daedal.results())
    assert "notes" in first
    assert all("keys" not in content and ".env" not in content for content in (first, second, third))


@requirement("SD-07")
@pytest.mark.parametrize(
    "name", ["history.jsonl", "reports/daedal-report.zip", "copied.txt", "drafts/prompt-1.md", "app-server.token"]
)
def test_what_a_person_typed_and_what_opens_our_server_is_closed_to_commands_and_tools(
    daedal: Daedal, model, name: str
):
    path = daedal.home / ".daedal" / name
    path.parent.mkdir(parents=True)
    path.write_text("nobody-elses-words\n")
    model(
        [calls(("Bash", {"command": f"cat {path}; cp {path} copy"}), ("Read", {"file_path": str(path)})), say("Done.")]
    )
    assert daedal("exec", f"Look at @{path}.", "--allow", "Read(//**)").code == 0
    assert "nobody-elses-words" not in str(daedal.entries())
    assert not (daedal.workspace / "copy").exists()
