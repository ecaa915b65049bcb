"""Does a login with a code on another device work, as patiently as the issuer asks for?"""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from daedal.protocol.errors import DaedalError, ProviderError
from daedal.providers import DeviceCode, LoginSettings, Net, NetworkSettings, Tokens, log_in_by_device
from tests.accounts.person import guarded, leaks, log_in, ready
from tests.toolbox.model_proxy import ForwardProxy
from tests.toolbox.model_server import ModelServer, say
from tests.toolbox.model_tls import Authority
from tests.toolbox.oauth_server import CLIENT, OAuthServer
from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement


@requirement("SD-06/A3")
def test_a_login_with_a_code_opens_the_model(daedal: Daedal):
    with OAuthServer() as oauth, ModelServer(guarded(oauth, say("Hi."))) as model:
        ready(daedal, oauth, model)
        oauth.device_answers.append("authorization_pending")
        told = log_in(daedal, "--device")
        answer = daedal("exec", "Hello?")
    shown, completed = told.lines
    assert (shown["userCode"], shown["verificationUrl"]) == ("WDJB-MJHT", f"{oauth.url}/activate")
    assert completed["success"] is True
    assert (answer.code, answer.out.strip()) == (0, "Hi."), answer.err
    assert oauth.log == ["device", "poll", "poll"]
    assert leaks(daedal, oauth, told.out, told.err, answer.err) == []


def waits(oauth: OAuthServer) -> tuple[list[float], list[DeviceCode], Tokens | DaedalError]:
    """A login in which time passes at once; how long it would have waited each time, and what came of it."""
    waited: list[float] = []
    shown: list[DeviceCode] = []

    async def wait(seconds: float) -> None:
        waited.append(seconds)

    async def scenario() -> Tokens | DaedalError:
        settings = LoginSettings(provider="acme", issuer=oauth.url, client_id=CLIENT)
        try:
            return await log_in_by_device(settings, Net(NetworkSettings(), {}), show=shown.append, wait=wait)
        except DaedalError as trouble:
            return trouble

    ended: Any = asyncio.run(scenario())
    return waited, shown, ended


@requirement("SD-06/A3")
def test_an_issuer_that_asks_to_slow_down_is_asked_less_often_from_then_on():
    with OAuthServer() as oauth:
        oauth.device_interval = 2
        oauth.device_answers.extend(["authorization_pending", "slow_down", "authorization_pending", "slow_down"])
        waited, _, ended = waits(oauth)
    assert isinstance(ended, Tokens)
    assert waited == [2, 2, 7, 7, 12]


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        ("expired_token", "the code was not used in time"),
        ("access_denied", "the login failed: access_denied"),
        ("invalid_grant", "the login failed: invalid_grant"),
    ],
)
def test_a_code_that_comes_to_nothing_says_why(answer: str, sentence: str):
    with OAuthServer() as oauth:
        oauth.device_answers.extend(["authorization_pending", answer])
        _, _, ended = waits(oauth)
    assert isinstance(ended, ProviderError)
    assert sentence in str(ended)
    assert "daedal auth login" in str(ended)


def test_nobody_waits_longer_than_the_code_lives():
    with OAuthServer() as oauth:
        oauth.device_interval = 25
        oauth.device_answers.extend(["authorization_pending"] * 100)
        waited, shown, ended = waits(oauth)
    assert shown[0].lifetime_s == 60
    assert waited == [25, 25, 25]
    assert "the code was not used in time" in str(ended)


def test_an_issuer_that_wants_to_be_asked_without_a_pause_is_not():
    with OAuthServer() as oauth:
        waited, _, _ = waits(oauth)
    assert waited == [1]


@pytest.mark.parametrize("through_proxy", [True, False])
def test_an_issuer_is_reached_by_the_same_way_as_models(tmp_path: Path, *, through_proxy: bool):
    authority = Authority(tmp_path)

    async def at_once(_: float) -> None: ...

    with OAuthServer(tls=authority.server_context()) as oauth, ForwardProxy() as proxy:
        settings = LoginSettings(provider="acme", issuer=oauth.url, client_id=CLIENT)
        network = NetworkSettings(ca_file=authority.ca_file, proxy=proxy.url if through_proxy else None)
        tokens = asyncio.run(log_in_by_device(settings, Net(network, {}), show=lambda _: None, wait=at_once))
        with pytest.raises(ProviderError, match="is not trusted"):
            asyncio.run(log_in_by_device(settings, Net(NetworkSettings(), {}), show=lambda _: None, wait=at_once))
    assert tokens.access in oauth.secrets
