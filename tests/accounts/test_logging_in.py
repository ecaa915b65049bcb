"""Does a login in the browser work, and does everything that is wrong about one end it?"""

import json
import os
import stat

from tests.accounts.person import ended, guarded, leaks, log_in, ready
from tests.toolbox.model_server import ModelServer, say
from tests.toolbox.oauth_server import OAuthServer, browse
from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement


@requirement("SD-06/A3", "SD-06/A5")
def test_a_login_in_the_browser_opens_the_model_and_is_kept_sealed(daedal: Daedal):
    with OAuthServer() as oauth, ModelServer(guarded(oauth, say("Hello from the model."))) as model:
        ready(daedal, oauth, model)
        before = daedal("exec", "Hello?")
        told = log_in(daedal)
        answer = daedal("exec", "Hello?")
        status = daedal("auth", "status")
        listed = daedal("auth", "status", "--json")
    assert before.code == 2
    assert told.lines[-1]["success"] is True
    assert (answer.code, answer.out.strip()) == (0, "Hello from the model."), answer.err
    assert oauth.log == ["authorize", "exchange"]
    assert "in use" in status.out
    assert oauth.url in status.out
    assert listed.json["inUse"] == "login"
    assert listed.json["account"] == {"type": "chatgpt", "email": None, "planType": "unknown"}
    folder = daedal.home / ".daedal" / "auth"
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()}
    assert modes == {"claude_code_subscription.login": 0o600, "key": 0o600, "lock": 0o600}
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert leaks(daedal, oauth, told.out, told.err, answer.out, answer.err, status.out, listed.out) == []


@requirement("SD-06/A3")
def test_an_answer_with_another_state_is_not_used_and_the_right_one_still_counts(daedal: Daedal):
    with OAuthServer() as oauth:
        ready(daedal, oauth)
        process = daedal.start("auth", "login", "--json")
        assert process.stdout is not None
        line = process.stdout.readline()
        address = json.loads(line)["authUrl"]
        oauth.bends_state = True
        assert browse(address) == 400
        oauth.bends_state = False
        assert browse(address) == 200
        ended(process, before=line)
    assert oauth.log == ["authorize", "authorize", "exchange"]
    assert leaks(daedal, oauth) == []


def test_a_person_who_says_no_is_told_so(daedal: Daedal):
    with OAuthServer() as oauth:
        ready(daedal, oauth)
        oauth.denies = True
        told = log_in(daedal, code=1)
        status = daedal("auth", "status")
    assert "the person said <no>" in told.lines[-1]["error"]
    assert status.code == 1
    assert not (daedal.home / ".daedal" / "auth" / "claude_code_subscription.login").exists()


def test_an_answer_in_the_name_of_another_issuer_is_refused(daedal: Daedal):
    with OAuthServer() as oauth:
        ready(daedal, oauth)
        oauth.names_as_issuer = "https://evil.example"
        told = log_in(daedal, code=1)
    assert "another issuer" in told.lines[-1]["error"]
    assert "exchange" not in oauth.log


def test_an_issuer_that_publishes_another_name_is_not_asked(daedal: Daedal):
    with OAuthServer() as oauth:
        ready(daedal, oauth)
        oauth.metadata_issuer = "https://evil.example"
        told = daedal("auth", "login")
    assert told.code == 2
    assert "speaks for somebody else" in told.err
    assert oauth.log == []


def test_an_issuer_that_others_could_overhear_is_refused(daedal: Daedal):
    with OAuthServer() as oauth:
        ready(daedal, oauth)
        config = daedal.home / ".daedal" / "config.toml"
        config.write_text(config.read_text().replace(oauth.url, "http://issuer.example"))
        told = daedal("auth", "login")
    assert told.code == 2
    assert "must be https://" in told.err


def test_where_nobody_said_where_to_log_in_it_is_told_how(daedal: Daedal):
    told = daedal("auth", "login")
    assert told.code == 2
    assert "[[logins]]" in told.err
    other = daedal("auth", "login", "--provider", "nobody")
    assert (other.code, "there is no provider" in other.err) == (2, True)


def test_a_project_cannot_say_where_a_person_logs_in(daedal: Daedal):
    with OAuthServer() as oauth:
        (daedal.workspace / "daedal.toml").write_text(oauth.config())
        assert daedal("trust", "--yes").code in (0, 1)
        told = daedal("auth", "login")
    assert told.code == 2
    assert "[[logins]]" in told.err
    assert oauth.log == []


@requirement("SD-06/A4")
def test_logging_out_forgets_the_login_and_revokes_it(daedal: Daedal):
    with OAuthServer() as oauth, ModelServer(guarded(oauth)) as model:
        ready(daedal, oauth, model)
        log_in(daedal)
        out = daedal("auth", "logout")
        after = daedal("exec", "Hello?")
        again = daedal("auth", "logout")
    assert (out.code, out.out) == (0, "logged out of claude_code_subscription\n")
    assert oauth.families[0].is_revoked
    assert after.code == 2
    assert again.out == "nobody was logged in at claude_code_subscription\n"
    assert sorted(os.listdir(daedal.home / ".daedal" / "auth")) == ["lock"]
    assert model.requests == []
    assert leaks(daedal, oauth, out.out, out.err) == []


def test_logging_out_works_without_the_issuer(daedal: Daedal):
    with OAuthServer() as oauth:
        ready(daedal, oauth)
        log_in(daedal)
    out = daedal("auth", "logout")
    assert out.code == 0
    assert "the issuer does not know it" in out.err
    assert not (daedal.home / ".daedal" / "auth" / "claude_code_subscription.login").exists()


def test_a_browser_that_never_comes_back_can_be_given_up(daedal: Daedal):
    with OAuthServer() as oauth:
        ready(daedal, oauth)
        process = daedal.start("auth", "login", "--json")
        assert process.stdout is not None
        line = process.stdout.readline()
        process.send_signal(2)
        told = ended(process, before=line, code=130)
    assert told.err == ""
    assert not (daedal.home / ".daedal" / "auth" / "claude_code_subscription.login").exists()
