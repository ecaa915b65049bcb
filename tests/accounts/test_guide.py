"""Does the guide's login work as it is written? Its settings and its commands, with the tests' own issuer in them."""

import re
import shlex

from tests.accounts.person import NO_KEYRING, ended, guarded, leaks
from tests.checks.sources import ROOT
from tests.journeys.test_bad_input import configure
from tests.toolbox.model_server import ModelServer, say
from tests.toolbox.oauth_server import CLIENT, OAuthServer, browse
from tests.toolbox.program import Daedal, Finished
from tests.toolbox.requirement import requirement

PAGE = (ROOT / "docs" / "guides" / "accounts.md").read_text("utf-8")


def block(language: str) -> str:
    found = re.search(rf"^```{language}\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    assert found is not None
    return found[1]


def run(daedal: Daedal, line: str) -> Finished:
    """As a person does it: whatever address is shown is opened."""
    words = shlex.split(line)
    assert words.pop(0) == "daedal"
    process = daedal.start(*words)
    assert process.stdout is not None
    shown = b""
    if words[:2] == ["auth", "login"] and "--device" not in words:
        while not (found := re.search(rb"http://127\.0\.0\.1:\S+", shown)):
            line_shown = process.stdout.readline()
            assert line_shown, shown
            shown += line_shown
        assert browse(found[0].decode()) == 200
    return ended(process, before=shown)


@requirement("SD-06/A3", "SD-06/A4", "SD-06/A5")
def test_the_guides_settings_and_commands_log_a_person_in_and_out(daedal: Daedal):
    with OAuthServer() as oauth, ModelServer(guarded(oauth, say("Hello."))) as model:
        settings = block("toml").replace("https://issuer.example.com", oauth.url).replace("your-client-id", CLIENT)
        configure(daedal, settings)
        daedal.env.update(NO_KEYRING, ANTHROPIC_BASE_URL=model.url)
        told = [run(daedal, line) for line in block("sh").splitlines()]
    assert [oauth.log.count(what) for what in ("exchange", "device", "revoke")] == [1, 1, 2]
    assert "logged in for claude_code_subscription" in told[0].out
    assert "in use" in told[1].out
    assert "WDJB-MJHT" in told[3].out
    assert told[4].out == "Hello.\n"
    assert leaks(daedal, oauth, *(one.out + one.err for one in told)) == []
