"""Does a login last? Renewed before it ends and after a refusal, once for all, and never lost on the way."""

import asyncio
import json
import signal
import time
from pathlib import Path

import pytest

from daedal.protocol.errors import ProviderError
from daedal.providers import KeptLogin, LoginStore, Net, NetworkSettings, Tokens
from daedal.providers.login import Issuer
from tests.accounts.person import ended, guarded, leaks, log_in, ready
from tests.toolbox.model_server import ModelServer, call, closed_port, say
from tests.toolbox.oauth_server import OAuthServer
from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement


def login_file(daedal: Daedal) -> Path:
    return daedal.home / ".daedal" / "auth" / "claude_code_subscription.login"


@requirement("SD-06/A3")
@pytest.mark.parametrize("rotates", [True, False])
def test_a_token_that_is_about_to_end_is_renewed_before_it_is_used(daedal: Daedal, *, rotates: bool):
    with OAuthServer(lifetime_s=0.001, rotates=rotates) as oauth, ModelServer(guarded(oauth, say("Hi."))) as model:
        ready(daedal, oauth, model)
        log_in(daedal)
        oauth.lifetime_s = 3600
        runs = [daedal("exec", "Hello?") for _ in range(2)]
    assert [(run.code, run.out.strip()) for run in runs] == [(0, "Hi."), (0, "Hi.")], runs[0].err
    assert oauth.log.count("renew") == 1
    assert len(model.requests) == 2, "nothing was refused"
    assert leaks(daedal, oauth, *(run.err for run in runs)) == []


@requirement("SD-06/A3")
def test_a_token_that_is_refused_in_the_middle_of_a_turn_is_renewed_and_the_turn_goes_on(daedal: Daedal):
    (daedal.workspace / "notes.txt").write_text("The answer is 42.\n")
    with OAuthServer() as oauth:
        answers = guarded(oauth, call("Read", file_path="notes.txt"), say("It says 42."))

        def answer(request):
            if request.number == 1:
                oauth.end_access()
            return answers(request)

        with ModelServer(answer) as model:
            ready(daedal, oauth, model)
            log_in(daedal)
            run = daedal("exec", "What do the notes say?", "--output-format", "json")
    assert run.code == 0, run.err
    assert run.json["result"] == "It says 42."
    assert oauth.log.count("renew") == 1
    assert len(model.requests) == 3
    assert model.requests[1].body == model.requests[2].body, "the same request, with another token"
    assert len(daedal.rows("SELECT 1 FROM sessions")) == 1
    assert len(daedal.results()) == 1, "nothing was done twice"
    assert leaks(daedal, oauth, run.out, run.err) == []


def test_a_token_that_is_refused_although_it_is_new_is_refused_once(daedal: Daedal):
    with OAuthServer() as oauth, ModelServer(guarded(oauth)) as model:
        ready(daedal, oauth, model)
        log_in(daedal)
        oauth.lifetime_s = -5  # whatever it gives out from now on is refused
        oauth.end_access()
        run = daedal("exec", "Hello?")
    assert run.code == 2
    assert "401" in run.err
    assert "daedal auth login" in run.err
    assert oauth.log.count("renew") == 1
    assert len(model.requests) == 2


@requirement("SD-06/A3")
def test_a_login_that_was_revoked_says_so_and_what_to_do(daedal: Daedal):
    with OAuthServer() as oauth, ModelServer(guarded(oauth)) as model:
        ready(daedal, oauth, model)
        log_in(daedal)
        oauth.revoke()
        run = daedal("exec", "Hello?")
        log_in(daedal)
        again = daedal("exec", "Hello?")
    assert run.code == 2
    assert "the login cannot be renewed" in run.err
    assert "daedal auth login --provider claude_code_subscription" in run.err
    assert again.code == 0
    assert leaks(daedal, oauth, run.out, run.err) == []


@requirement("SD-06/A3")
def test_two_processes_that_renew_at_once_renew_once_and_both_go_on(daedal: Daedal):
    with OAuthServer() as oauth, ModelServer(guarded(oauth, say("Hi."))) as model:
        ready(daedal, oauth, model)
        log_in(daedal)
        oauth.end_access()
        oauth.close_gate()
        runs = [daedal.start("exec", "Hello?") for _ in range(2)]
        model.wait_for_requests(2)  # both were refused
        oauth.wait_for("renew")  # one of them renews, and the other waits for it
        oauth.open_gate()
        finished = [ended(run) for run in runs]
    assert [run.out.strip() for run in finished] == ["Hi.", "Hi."]
    assert oauth.log.count("renew") == 1
    assert len(model.requests) == 4
    assert leaks(daedal, oauth, *(run.err for run in finished)) == []


@requirement("SD-06/A3", "SD-02")
def test_killed_while_the_issuer_thinks_nothing_is_lost(daedal: Daedal):
    with OAuthServer() as oauth, ModelServer(guarded(oauth, say("Hi."))) as model:
        ready(daedal, oauth, model)
        log_in(daedal)
        before = login_file(daedal).read_bytes()
        oauth.end_access()
        oauth.half_answers = oauth.grace = True
        oauth.close_gate()
        run = daedal.start("exec", "Hello?")
        oauth.wait_for("half")  # the answer is on its way, and half of it has arrived
        run.send_signal(signal.SIGKILL)
        run.communicate()
        assert login_file(daedal).read_bytes() == before, "the refresh token that may still be good is kept"
        oauth.half_answers = False
        oauth.open_gate()
        again = daedal("exec", "Hello?")
    assert (again.code, again.out.strip()) == (0, "Hi."), again.err
    assert oauth.log.count("renew") == 2
    assert leaks(daedal, oauth, again.err) == []


def test_a_turn_that_is_interrupted_while_it_renews_keeps_what_was_renewed(daedal: Daedal):
    with OAuthServer() as oauth, ModelServer(guarded(oauth, say("Hi."))) as model:
        ready(daedal, oauth, model)
        log_in(daedal)
        oauth.end_access()
        oauth.close_gate()
        run = daedal.start("exec", "Hello?")
        oauth.wait_for("renew")
        run.send_signal(signal.SIGINT)
        oauth.open_gate()
        run.communicate(timeout=60)
        again = daedal("exec", "Hello?")
    assert (again.code, again.out.strip()) == (0, "Hi."), again.err
    assert oauth.log.count("renew") == 1, "a refresh token that was used up would have ended the login"
    assert not oauth.families[0].is_revoked


def test_an_issuer_that_is_away_does_not_end_a_token_that_is_still_good(tmp_path: Path, monkeypatch):
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.null.Keyring")
    store = LoginStore(str(tmp_path))
    away = Issuer(name="away", token_endpoint=f"http://127.0.0.1:{closed_port()}/token")
    learned: list[str] = []

    def token(age_s: float) -> str | None:
        kept = Tokens(
            access="access-0123456789",
            renewal="renewal-0123456789",
            obtained_at=time.time() - age_s,
            lifetime_s=3600,
            client_id="me",
            issuer=away,
        )
        store.write("acme", kept)
        login = KeptLogin("acme", store, Net(NetworkSettings(), {}), lambda _, secret: learned.append(secret))
        return asyncio.run(login.token())

    assert token(10) == "access-0123456789"
    assert token(3590) == "access-0123456789", "it is due, and good for ten seconds"
    with pytest.raises(ProviderError, match="the issuer of the login cannot be asked"):
        token(3601)
    assert set(learned) == {"access-0123456789", "renewal-0123456789"}


def test_a_login_that_was_changed_by_somebody_is_no_login(daedal: Daedal):
    with OAuthServer() as oauth, ModelServer(guarded(oauth)) as model:
        ready(daedal, oauth, model)
        log_in(daedal)
        path = login_file(daedal)
        sealed = json.loads(path.read_text())
        other = path.with_name("openai_compatible.login")
        other.write_text(path.read_text())
        swapped = daedal("auth", "status", "--provider", "openai_compatible")
        path.write_text(json.dumps({**sealed, "sealed": sealed["sealed"][:-8] + "AAAAAAA="}))
        bent = daedal("exec", "Hello?")
        (path.with_name("key")).unlink()
        path.write_text(json.dumps(sealed))
        keyless = daedal("exec", "Hello?")
    assert "cannot be opened" in swapped.out
    assert (bent.code, "cannot be opened" in bent.err) == (2, True)
    assert (keyless.code, "is gone from" in keyless.err) == (2, True)
    assert model.requests == []
