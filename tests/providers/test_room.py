"""Is the room's door as small and as light as it says?"""

import subprocess
import sys

import pytest

import daedal.providers

PUBLIC = [
    "Access",
    "AuthSettings",
    "Choice",
    "DeviceCode",
    "Endpoint",
    "Grant",
    "KeptLogin",
    "LoginSettings",
    "LoginStore",
    "Net",
    "NetworkSettings",
    "ProviderSettings",
    "Tokens",
    "Trust",
    "WebFindings",
    "WebHit",
    "WebQuery",
    "connect",
    "credential_names",
    "endpoint_of",
    "has_login",
    "known_efforts",
    "known_models",
    "locked",
    "log_in_by_browser",
    "log_in_by_device",
    "log_out",
    "parse_address",
    "price_of",
    "proxy_authorization",
    "proxy_for",
    "recording",
    "replaying",
    "resolve",
    "search_web",
    "with_effort",
]


def loaded_by(code: str) -> set[str]:
    shown = f"{code}\nimport sys\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", shown], capture_output=True, text=True, check=True, timeout=60)
    return set(done.stdout.split())


def test_the_public_names_are_exactly_these():
    assert sorted(daedal.providers.__all__) == PUBLIC
    assert all(getattr(daedal.providers, name) is not None for name in PUBLIC)
    with pytest.raises(AttributeError):
        daedal.providers.Nonsense  # noqa: B018


def test_the_door_itself_loads_nothing():
    assert {name for name in loaded_by("import daedal.providers") if name.startswith("daedal.")} == {
        "daedal.protocol",
        "daedal.protocol.rooms",
        "daedal.providers",
    }


def test_one_kind_loads_no_other():
    loaded = loaded_by(
        "from daedal.providers import NetworkSettings, connect, resolve\n"
        "env = {'ANTHROPIC_API_KEY': 'k'}\n"
        "connect(resolve(provider=None, model=None, entries=[], env=env), NetworkSettings(), env)"
    )
    files = {name.removeprefix("daedal.providers.") for name in loaded if name.startswith("daedal.providers.")}
    assert "anthropic" in files
    assert not files & {
        "chat",
        "chat_stream",
        "responses",
        "responses_stream",
        "replay",
        "recorder",
        "script",
        "cassette",
        "searching",
        "vision",
        "access",
        "login",
    }
    assert not loaded & {"pyreqwest", "email", "random", "urllib.parse", "http", "json", "pathlib", "ipaddress"}
