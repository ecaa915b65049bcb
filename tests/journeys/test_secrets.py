"""Does a known credential ever reach the model, the ledger or an export?"""

from tests.toolbox.model_server import call, calls, say
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
