"""Can a face log a person in and out? Over the app-server's methods, while conversations go on."""

import json
import threading
import urllib.error

import pytest

from tests.accounts.person import guarded, leaks, ready
from tests.server.test_emission import Noting, troubles
from tests.toolbox.model_server import ModelServer, calls, say
from tests.toolbox.oauth_server import OAuthServer, browse
from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement
from tests.toolbox.wire_client import Child

SAVED = "a-key-that-was-saved-before"


@requirement("SD-06/A3", "SD-06/A4", "SD-06/A5")
def test_a_face_logs_in_works_and_logs_out_in_one_conversation(daedal: Daedal):
    with OAuthServer() as oauth, ModelServer(guarded(oauth, say("Hi."))) as model:
        ready(daedal, oauth, model)
        (daedal.home / ".daedal" / ".env").write_text(f"ANTHROPIC_API_KEY={SAVED}\n")
        (daedal.home / ".daedal" / ".env").chmod(0o600)
        with Noting(daedal) as client:
            client.hello()
            before = client.call("account/read")
            thread = client.thread()
            refused = client.turn(thread)
            begun = client.call("account/login/start", {"type": "chatgpt"})
            threading.Thread(target=browse, args=(begun["authUrl"],), daemon=True).start()
            completed = client.event("account/login/completed")
            updated = client.event("account/updated")
            during = client.call("account/read")
            answered = client.turn(thread)
            out = client.call("account/logout")
            gone = client.event("account/updated")
            after = client.turn(thread)
            seen = json.dumps(client.seen)
            assert troubles(client, client.asked_methods) == [], "as Codex would have it"
    assert before["inUse"] == "saved"
    assert before["account"] == {"type": "apiKey"}
    assert refused["turn"]["status"] == "failed"
    assert completed == {"loginId": begun["loginId"], "success": True, "error": None}
    assert updated["authMode"] == "chatgpt"
    assert (during["inUse"], during["requiresOpenaiAuth"]) == ("login", False)
    assert answered["turn"]["status"] == "completed"
    assert (out, gone["authMode"]) == ({}, "apikey")
    assert after["turn"]["status"] == "failed"
    assert oauth.families[0].is_revoked
    assert leaks(daedal, oauth, seen) == []
    assert SAVED not in seen


def test_a_login_with_a_code_can_be_cancelled(daedal: Daedal):
    with OAuthServer() as oauth:
        ready(daedal, oauth)
        oauth.device_answers.extend(["authorization_pending"] * 100)
        with Noting(daedal) as client:
            client.hello()
            begun = client.call("account/login/start", {"type": "chatgptDeviceCode"})
            cancelled = client.call("account/login/cancel", {"loginId": begun["loginId"]})
            completed = client.event("account/login/completed")
            again = client.call("account/login/cancel", {"loginId": begun["loginId"]})
            assert troubles(client, client.asked_methods) == []
    assert (begun["userCode"], begun["verificationUrl"]) == ("WDJB-MJHT", f"{oauth.url}/activate")
    assert (cancelled, again) == ({"status": "canceled"}, {"status": "notFound"})
    assert (completed["success"], completed["error"]) == (False, "the login was cancelled")


def test_a_login_that_cannot_begin_says_why(daedal: Daedal):
    with Child(daedal) as client:
        client.hello()
        nowhere = client.fails("account/login/start", {"type": "chatgpt"})
        unknown = client.fails("account/read", {"provider": "nobody"})
        kind = client.fails("account/login/start", {"type": "apiKey", "apiKey": "x"})
    assert "[[logins]]" in nowhere["message"]
    assert "there is no provider" in unknown["message"]
    assert "daedal setup" in kind["message"]


def test_a_server_that_ends_during_a_login_leaves_none_behind(daedal: Daedal):
    with OAuthServer() as oauth:
        ready(daedal, oauth)
        with Child(daedal) as client:
            client.hello()
            begun = client.call("account/login/start", {"type": "chatgpt"})
            assert client.leave() == 0
        with pytest.raises(urllib.error.URLError, match="refused"):
            browse(begun["authUrl"])
    assert client.errors == ""
    assert not (daedal.home / ".daedal" / "auth" / "claude_code_subscription.login").exists()


@requirement("SD-07")
def test_a_login_that_is_made_while_a_thread_works_is_closed_to_it_from_the_beginning(daedal: Daedal):
    folder = daedal.home / ".daedal" / "auth"
    look = calls(
        ("Bash", {"command": f"ls {folder}; cat {folder}/*"}),
        ("Read", {"file_path": str(folder / "key")}),
        ("Grep", {"pattern": ".", "path": str(folder), "output_mode": "content"}),
    )
    with OAuthServer() as oauth, ModelServer([look, say("Nothing."), look, say("Nothing.")]) as model:
        ready(daedal, oauth, model)
        daedal.env["ANTHROPIC_API_KEY"] = "a-key-that-comes-first"
        with Child(daedal) as client:
            client.hello()
            thread = client.thread(approvalPolicy="never")
            assert client.turn(thread)["turn"]["status"] == "completed"
            begun = client.call("account/login/start", {"type": "chatgpt"})
            threading.Thread(target=browse, args=(begun["authUrl"],), daemon=True).start()
            assert client.event("account/login/completed")["success"]
            assert client.turn(thread)["turn"]["status"] == "completed"
    results = json.dumps(daedal.results())
    assert len(daedal.results()) == 6
    assert (folder / "key").read_text() not in results
    assert json.loads((folder / "claude_code_subscription.login").read_text())["sealed"] not in results
    assert leaks(daedal, oauth) == []
