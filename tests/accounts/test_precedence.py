"""Which credential is used where several could be? Peeled off one by one, the next one counts; `auth status` agrees."""

import os
import subprocess
from pathlib import Path

import pytest

from tests.accounts.person import NO_KEYRING, leaks, log_in, ready
from tests.journeys.test_bad_input import configure
from tests.toolbox.model_server import ModelServer, Recorded, call, fail, say
from tests.toolbox.oauth_server import OAuthServer
from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement

TOKEN = "token-in-the-environment"
KEY = "key-in-the-environment"
HANDED = "token-handed-over"
SAVED = "key-that-was-saved"
HELPER = "key-of-the-helper"


def save(daedal: Daedal, text: str) -> None:
    saved = daedal.home / ".daedal" / ".env"
    saved.parent.mkdir(exist_ok=True)
    saved.write_text(text)
    saved.chmod(0o600)


def sent(request: Recorded) -> tuple[str | None, str | None]:
    return request.headers.get("authorization"), request.headers.get("x-api-key")


@requirement("SD-06", "SD-06/A1", "SD-06/A2", "SD-06/A5", "SD-06/A6", "RX-04")
def test_the_strongest_source_that_has_something_wins(daedal: Daedal):
    with OAuthServer() as oauth, ModelServer([say("Hi.")], after="repeat") as model:
        ready(daedal, oauth, model, more=f"[auth]\napi_key_helper = 'echo {HELPER}'\n")
        log_in(daedal)
        save(daedal, f"ANTHROPIC_API_KEY={SAVED}\n")
        login = oauth.families[0].access
        layers = [
            ("auth_token_env", (f"Bearer {TOKEN}", None), lambda env: env.pop("ANTHROPIC_AUTH_TOKEN")),
            ("api_key_env", (None, KEY), lambda env: env.pop("ANTHROPIC_API_KEY")),
            ("helper", (f"Bearer {HELPER}", HELPER), lambda env: configure(daedal, oauth.config())),
            ("handed_over", (f"Bearer {HANDED}", None), lambda env: env.pop("CLAUDE_CODE_OAUTH_TOKEN")),
            ("login", (f"Bearer {login}", None), lambda env: daedal("auth", "logout")),
            ("saved", (None, SAVED), lambda env: save(daedal, "")),
        ]
        env = {"ANTHROPIC_AUTH_TOKEN": TOKEN, "ANTHROPIC_API_KEY": KEY, "CLAUDE_CODE_OAUTH_TOKEN": HANDED}
        for name, expected, take_away in layers:
            run = daedal("exec", "Hello?", **env)
            status = daedal("auth", "status", "--json", **env)
            assert (run.code, sent(model.requests[-1])) == (0, expected), (name, run.err)
            assert status.json["inUse"] == name
            assert [source["id"] for source in status.json["sources"]] == [layer[0] for layer in layers]
            said = status.out + run.err
            if name == "auth_token_env":
                shown = daedal("auth", "status", **env)
                said += shown.out + shown.err
            for secret in (TOKEN, KEY, HANDED, SAVED, HELPER, login):
                assert secret not in said
            take_away(env)
        last = daedal("exec", "Hello?", **env)
        assert last.code == 2
        assert "ANTHROPIC_AUTH_TOKEN or ANTHROPIC_API_KEY is not set" in last.err
        assert leaks(daedal, oauth) == []


@requirement("SD-06/O1", "RX-04")
def test_of_other_providers_the_environment_comes_before_a_login_and_a_login_before_what_is_saved(daedal: Daedal):
    with OAuthServer() as oauth, ModelServer([say("Hi.")], after="repeat") as model:
        configure(daedal, 'default_model = "openai_compatible"\n' + oauth.config("openai_compatible"))
        daedal.env.update(NO_KEYRING, OPENAI_BASE_URL=f"{model.url}/v1")
        save(daedal, f"OPENAI_API_KEY={SAVED}\n")
        assert daedal("exec", "Hello?").code == 0
        assert sent(model.requests[-1]) == (f"Bearer {SAVED}", None)
        log_in(daedal, "--provider", "openai_compatible")
        assert daedal("exec", "Hello?").code == 0
        assert sent(model.requests[-1]) == (f"Bearer {oauth.families[0].access}", None)
        assert daedal("exec", "Hello?", OPENAI_API_KEY=KEY).code == 0
        assert sent(model.requests[-1]) == (f"Bearer {KEY}", None)
        status = daedal("auth", "status", "--json", OPENAI_API_KEY=KEY)
        assert [source["id"] for source in status.json["sources"]] == ["env", "login", "saved"]


@requirement("SD-06/A7")
def test_a_bare_run_knows_only_the_key_and_the_users_own_helper(daedal: Daedal):
    with OAuthServer() as oauth, ModelServer([say("Hi.")], after="repeat") as model:
        ready(daedal, oauth, model)
        log_in(daedal)
        save(daedal, f"ANTHROPIC_API_KEY={SAVED}\nANTHROPIC_AUTH_TOKEN={SAVED}\n")
        others = {"ANTHROPIC_AUTH_TOKEN": TOKEN, "CLAUDE_CODE_OAUTH_TOKEN": HANDED}
        (daedal.workspace / "daedal.toml").write_text("[auth]\napi_key_helper = 'echo from-the-project'\n")
        assert daedal("trust", "--yes").code == 0
        refused = daedal("exec", "--bare", "Hello?", **others)
        shown = daedal("auth", "status", "--bare", **others)
        assert (refused.code, model.requests) == (2, [])
        assert shown.code == 1
        assert daedal("exec", "--bare", "Hello?", ANTHROPIC_API_KEY=KEY, **others).code == 0
        assert sent(model.requests[-1]) == (None, KEY)
        ready(daedal, oauth, model, more=f"[auth]\napi_key_helper = 'echo {HELPER}'\n")
        assert daedal("exec", "--bare", "Hello?", **others).code == 0
        assert sent(model.requests[-1]) == (f"Bearer {HELPER}", HELPER)


def test_a_bare_run_brings_neither_hooks_nor_instructions(daedal: Daedal, model):
    (daedal.workspace / "AGENTS.md").write_text("Always rhyme.\n")
    configure(daedal, '[[hooks.SessionStart]]\ncommand = "touch hooked"\n')
    server = model([say("Hi.")], after="repeat")
    assert daedal("exec", "--bare", "Hello?").code == 0
    assert b"Always rhyme" not in server.requests[-1].body
    assert not (daedal.workspace / "hooked").exists()
    assert daedal("exec", "Hello?").code == 0
    assert b"Always rhyme" in server.requests[-1].body
    assert (daedal.workspace / "hooked").exists()


@requirement("SD-06/A3", "SD-07")
@pytest.mark.parametrize("how", ["pipe", "file"])
def test_a_token_can_be_handed_over_through_a_descriptor_that_no_command_inherits(daedal: Daedal, tmp_path, how: str):
    secret = "handed-over-through-a-descriptor"
    if how == "pipe":
        reading, writing = os.pipe()
        os.write(writing, secret.encode() + b"\n")
        os.close(writing)
    else:
        (tmp_path / "token").write_text(secret)
        reading = os.open(tmp_path / "token", os.O_RDONLY)
        (tmp_path / "token").unlink()
    look = f"echo got:$(cat <&{reading} 2>&1):$CLAUDE_CODE_OAUTH_TOKEN_FILE_DESCRIPTOR:"
    with ModelServer([call("Bash", command=look), say("Hi.")]) as model:
        env = daedal.environment(
            ANTHROPIC_BASE_URL=model.url, CLAUDE_CODE_OAUTH_TOKEN_FILE_DESCRIPTOR=str(reading), **NO_KEYRING
        )
        run = subprocess.run(
            [*daedal.program, "exec", "Hello?", "--approval", "yolo"],
            cwd=daedal.workspace,
            env=env,
            capture_output=True,
            pass_fds=[reading],
            timeout=60,
        )
    os.close(reading)
    assert run.returncode == 0, run.stderr
    assert [sent(request)[0] for request in model.requests] == [f"Bearer {secret}"] * 2
    (result,) = daedal.results()
    assert secret not in str(result)
    assert "::" in str(result), "neither the descriptor nor its number"
    assert not [path for path in daedal.root.rglob("*") if path.is_file() and secret.encode() in path.read_bytes()]


@pytest.mark.parametrize("number", ["99", "nonsense", "-1"])
def test_a_descriptor_that_leads_nowhere_is_an_answer_and_no_crash(daedal: Daedal, number: str):
    daedal.env.update(NO_KEYRING)
    run = daedal("exec", "Hello?", CLAUDE_CODE_OAUTH_TOKEN_FILE_DESCRIPTOR=number)
    assert run.code == 2
    assert "holds nothing that could be a key" in run.err


@requirement("SD-06/A6")
def test_the_helper_is_asked_once_and_again_after_a_refusal(daedal: Daedal):
    count = daedal.home / "count"
    helper = f"echo x >> {count}; printf %s-%s-%s key $(wc -l < {count}) of-the-helper | sed s/of/for/"

    def answer(request: Recorded):
        return say("Hi.") if request.headers.get("x-api-key") == "key-2-for-the-helper" else fail(401, "old key")

    with ModelServer(answer) as model:
        configure(daedal, f'[auth]\napi_key_helper = "{helper}"\n')
        run = daedal("exec", "Hello?", ANTHROPIC_BASE_URL=model.url)
    assert (run.code, run.out.strip()) == (0, "Hi."), run.err
    assert count.read_text().count("x") == 2
    assert not _holding(daedal, "2-for-the-helper")


@requirement("SD-06/A6")
@pytest.mark.parametrize(
    ("printed", "command", "reason"),
    [
        ("half-a-secret-key", "cat printed; exit 3", "it ended with status 3"),
        ("half-a-secret-key", "cat printed >&2; exit 3", "it ended with status 3"),
        ("", "cat printed", "what it printed is no key"),
        ("two\nlines-of-secret", "cat printed", "what it printed is no key"),
        ("secret" * 20_000, "cat printed", "what it printed is no key"),
        ("half-a-secret-key", "cat printed; sleep 60", "it took longer than 0.5 s"),
    ],
)
def test_a_helper_that_fails_is_a_failed_authentication_and_its_output_goes_nowhere(
    daedal: Daedal, printed: str, command: str, reason: str
):
    (daedal.workspace / "printed").write_text(printed)
    with ModelServer([say("Hi.")]) as model:
        configure(daedal, f'[auth]\napi_key_helper = "{command}"\napi_key_helper_timeout_s = 0.5\n')
        run = daedal("exec", "Hello?", ANTHROPIC_BASE_URL=model.url)
    assert run.code == 2
    assert reason in run.err
    assert "secret" not in run.err
    assert model.requests == []
    assert _holding(daedal, "half-a-secret", "lines-of-secret", "secretsecret") in ([], [daedal.workspace / "printed"])


@requirement("SD-06/A6", "SD-27")
def test_a_projects_helper_waits_for_trust(daedal: Daedal):
    ran = daedal.home / "ran"
    (daedal.workspace / "daedal.toml").write_text(f"[auth]\napi_key_helper = 'touch {ran}; echo {HELPER}'\n")
    with ModelServer([say("Hi.")], after="repeat") as model:
        env = {"ANTHROPIC_BASE_URL": model.url}
        before = daedal("exec", "Hello?", **env)
        status = daedal("auth", "status", **env)
        assert not ran.exists()
        assert (before.code, status.code) == (2, 1)
        assert daedal("trust", "--yes").code == 0
        assert daedal("auth", "status", **env).code == 0
        assert not ran.exists(), "asking which one wins asks nobody"
        assert daedal("exec", "Hello?", **env).code == 0
        assert ran.exists()


@requirement("SD-06/A6", "SD-27")
def test_a_helper_script_that_changed_after_it_was_trusted_does_not_run(daedal: Daedal):
    script = daedal.workspace / "key.sh"
    script.write_text(f"echo {HELPER}\n")
    (daedal.workspace / "daedal.toml").write_text(
        "[auth]\napi_key_helper = 'sh ./key.sh'\napi_key_helper_ttl_s = 0.001\n"
    )

    def answer(request: Recorded):
        script.write_text(f"touch stolen; echo {HELPER}\n")
        return call("Bash", command="echo x >> key.sh")

    with ModelServer(answer) as model:
        assert daedal("trust", "--yes").code == 0
        run = daedal("exec", "Hello?", "--approval", "yolo", ANTHROPIC_BASE_URL=model.url)
    assert run.code == 2
    assert "key.sh" in run.err
    assert not (daedal.workspace / "stolen").exists()
    assert "x" not in script.read_text().split(), "nor can a command rewrite it"


def _holding(daedal: Daedal, *secrets: str) -> list[Path]:
    config = daedal.home / ".daedal" / "config.toml"
    files = [path for path in daedal.root.rglob("*") if path.is_file() and path != config]
    return [path for path in files for secret in secrets if secret.encode() in path.read_bytes()]
