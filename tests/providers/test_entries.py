"""Is every mistake in a `[[providers]]` entry found before it costs anything, and named with entry and key?"""

from typing import Any

import msgspec
import pytest

from daedal.protocol.errors import ConfigurationError
from daedal.protocol.model import Price
from daedal.providers import NetworkSettings, ProviderSettings, connect, resolve
from daedal.providers.entries import endpoint, endpoints
from tests.toolbox.requirement import requirement

GOOD = {"name": "mine", "kind": "openai", "base_url": "https://api.example/v1", "model": "m"}
SCRIPT = {"name": "mine", "kind": "script", "file": "replies.json"}
CLAUDE = {"name": "mine", "kind": "anthropic", "model": "m"}


def settings(table: dict[str, Any]) -> ProviderSettings:
    return msgspec.convert(table, ProviderSettings)


MISTAKES = [
    (GOOD | {"name": "lm_studio_local"}, "name: this name is built in"),
    (GOOD | {"name": "my/own"}, "name: a name has no slash"),
    (GOOD | {"name": "my own"}, "name: a name has no slash and no blanks"),
    (GOOD | {"models": ["m", "n"]}, "models: give either model or models"),
    ({**GOOD, "model": None}, "model: is missing"),
    ({**GOOD, "model": None, "models": []}, "model: is missing"),
    ({**GOOD, "model": None, "models": ["m", "m"]}, "models: a model is listed twice"),
    (GOOD | {"default": "other"}, "default: “other” is not among the models"),
    ({**GOOD, "base_url": None}, "base_url: is missing, and kind openai needs it"),
    (GOOD | {"base_url": "https://user:pw@api.example"}, "base_url: must not hold a login"),
    (GOOD | {"api_key_env": "sk-proj-123"}, "api_key_env: must be the name of an environment variable"),
    (GOOD | {"thinking_tokens": 2000}, "thinking_tokens: means nothing for kind openai, only for anthropic"),
    (GOOD | {"file": "x"}, "file: means nothing for kind openai, only for replay or script"),
    (GOOD | {"headers": {"Authorization": "Bearer x"}}, "headers.Authorization: is not for settings to change"),
    (GOOD | {"headers": {"x y": "z"}}, "headers.x y: is not a valid HTTP header"),
    (GOOD | {"headers": {"x": "a\r\nb: c"}}, "headers.x: is not a valid HTTP header"),
    (CLAUDE | {"wire": "chat"}, "wire: means nothing for kind anthropic, only for openai"),
    (CLAUDE | {"reasoning_effort": "low"}, "reasoning_effort: means nothing for kind anthropic"),
    (CLAUDE | {"thinking_tokens": 2000, "temperature": 1.0}, "temperature: cannot be set together"),
    ({**SCRIPT, "file": None}, "file: is missing, and kind script needs it"),
    (SCRIPT | {"base_url": "https://x"}, "base_url: means nothing for kind script"),
    (SCRIPT | {"api_key_env": "X"}, "api_key_env: means nothing for kind script"),
]


@requirement("RX-02")
@pytest.mark.parametrize(("table", "words"), MISTAKES)
def test_a_mistake_is_named_with_entry_and_key(table: dict[str, Any], words: str):
    with pytest.raises(ConfigurationError) as caught:
        endpoints([settings(table)])
    assert f"provider “{table['name']}”, key {words}" in str(caught.value)
    assert "sk-proj-123" not in str(caught.value)


def test_two_entries_with_one_name_are_a_mistake():
    with pytest.raises(ConfigurationError, match="another entry has this name"):
        endpoints([settings(GOOD), settings(GOOD)])


@pytest.mark.parametrize(
    "change",
    [
        {"context_window": -1},
        {"output_tokens_max": 0},
        {"temperature": 3.0},
        {"reasoning_effort": "enormous"},
        {"wire": "soap"},
        {"kind": "telepathy"},
        {"price": {"input": -1.0}},
        {"price": {"inputs": 1.0}},
        {"colour": "blue"},
        {"name": ""},
        {"models": ["", "x"]},
    ],
)
def test_ill_typed_values_do_not_even_load(change: dict[str, Any]):
    with pytest.raises(msgspec.ValidationError):
        settings(GOOD | change)


@pytest.mark.parametrize("change", [{"attempts_max": 0}, {"backoff_base_s": 0}, {"idle_timeout_s": -1}, {"retries": 1}])
def test_ill_typed_network_settings_do_not_even_load(change: dict[str, Any]):
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(change, NetworkSettings)


@pytest.mark.parametrize("table", [GOOD, SCRIPT, CLAUDE])
def test_good_entries_load(table: dict[str, Any]):
    assert endpoint(settings(table)).name == "mine"


@requirement("RX-02")
def test_a_price_reaches_the_card():
    table = GOOD | {"price": {"input": 1.0, "output": 2.0, "cache_read": 0.1, "cache_write": 0.2}}
    choice = resolve(provider="mine", model=None, entries=[settings(table)], env={})
    assert choice.card.price == Price(input=1.0, output=2.0, cache_read=0.1, cache_write=0.2)


@pytest.mark.parametrize(
    "url", ["api.example", "ftp://x", "http://h:99999", "http://h/ x", "http://h?q=1", "http://[::1", ""]
)
def test_a_malformed_url_in_a_variable_is_named_but_not_repeated(url: str):
    env = {"OPENAI_API_KEY": "k", "OPENAI_BASE_URL": url or " "}
    with pytest.raises(ConfigurationError, match="OPENAI_BASE_URL") as caught:
        connect(resolve(provider="openai_compatible", model=None, entries=[], env=env), NetworkSettings(), env)
    assert not url or url not in str(caught.value)


def test_a_key_with_odd_characters_is_named_but_not_repeated():
    env = {"OPENAI_API_KEY": "se“cret", "OPENAI_BASE_URL": "http://127.0.0.1:1"}
    with pytest.raises(ConfigurationError, match="OPENAI_API_KEY holds characters") as caught:
        connect(resolve(provider="openai_compatible", model=None, entries=[], env=env), NetworkSettings(), env)
    assert "cret" not in str(caught.value)


def test_every_setting_explains_itself():
    for struct in (ProviderSettings, NetworkSettings):
        properties = msgspec.json.schema(struct)["$defs"][struct.__name__]["properties"]
        assert [name for name, about in properties.items() if not about.get("description")] == []
