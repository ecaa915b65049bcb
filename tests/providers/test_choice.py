"""Which model is meant by a name? Closed lists, references, variables; all of it before any network I/O."""

import msgspec
import pytest

from daedal.protocol.errors import ConfigurationError
from daedal.protocol.model import ModelCard, Price
from daedal.providers import Choice, ProviderSettings, credential_names, known_models, resolve
from daedal.providers.endpoints import Key
from daedal.providers.registry import FACTORIES
from tests.toolbox.requirement import requirement

ENV = {
    "ANTHROPIC_API_KEY": "a",
    "OPENAI_API_KEY": "b",
    "OPENAI_BASE_URL": "https://api.openai.example/v1",
    "LM_STUDIO_MODEL": "qwen/qwen3-8b",
    "DEEPSEEK_API_KEY": "c",
}
DEEPSEEK = ProviderSettings(
    name="deepseek",
    kind="openai",
    base_url="https://api.deepseek.example",
    models=["deepseek-flash", "deepseek-pro"],
    default="deepseek-pro",
    api_key_env="DEEPSEEK_API_KEY",
    context_window=1_000_000,
)
ROUTER = ProviderSettings(
    name="router",
    kind="openai",
    base_url="https://router.example/v1",
    models=["meta/llama", "gpt-4o", "deepseek-flash"],
)


def chosen(provider: str | None = None, model: str | None = None, *entries: ProviderSettings) -> Choice:
    return resolve(provider=provider, model=model, entries=entries, env=ENV)


def named(provider: str | None, model: str | None, *entries: ProviderSettings) -> tuple[str, str, str]:
    card = chosen(provider, model, *entries).card
    return card.provider, card.model_id, card.wire_model


@requirement("SD-05")
def test_the_built_in_models_are_exactly_the_specified_ones():
    assert known_models([]) == [
        ("claude_code_subscription", "claude_opus_4", "claude-opus-4-20250514"),
        ("claude_code_subscription", "claude_sonnet_4", "claude-sonnet-4-20250514"),
        ("claude_code_subscription", "claude_3_5_haiku", "claude-3-5-haiku-20241022"),
        ("openai_compatible", "gpt_4o", "gpt-4o"),
        ("openai_compatible", "gpt_4o_mini", "gpt-4o-mini"),
        ("openai_compatible", "o3", "o3"),
        ("openai_compatible", "o3_mini", "o3-mini"),
        ("lm_studio_local", "lm_studio_server_routed", "$LM_STUDIO_MODEL"),
    ]


@requirement("SD-05")
@pytest.mark.parametrize(("provider", "model_id", "wire_model"), [row for row in known_models([]) if "$" not in row[2]])
def test_every_built_in_model_is_found_by_each_of_its_names(provider: str, model_id: str, wire_model: str):
    expected = (provider, model_id, wire_model)
    references = [model_id, wire_model, f"{provider}/{model_id}", f"{provider}/{wire_model}"]
    assert [named(None, reference) for reference in references] == [expected] * 4
    assert [named(provider, reference) for reference in references] == [expected] * 4


REFERENCES = [
    ((None, None), ("claude_code_subscription", "claude_sonnet_4")),
    (("claude_code_subscription", None), ("claude_code_subscription", "claude_sonnet_4")),
    (("openai_compatible", None), ("openai_compatible", "gpt_4o")),
    (("lm_studio_local", None), ("lm_studio_local", "lm_studio_server_routed")),
    ((None, "lm_studio_local"), ("lm_studio_local", "lm_studio_server_routed")),
    ((None, "qwen/qwen3-8b"), ("lm_studio_local", "lm_studio_server_routed")),
    ((None, "opus"), ("claude_code_subscription", "claude_opus_4")),
    ((None, "sonnet"), ("claude_code_subscription", "claude_sonnet_4")),
    (("claude_code_subscription", "haiku"), ("claude_code_subscription", "claude_3_5_haiku")),
    ((None, "deepseek"), ("deepseek", "deepseek-pro")),
    ((None, "deepseek-pro"), ("deepseek", "deepseek-pro")),
    ((None, "deepseek/deepseek-flash"), ("deepseek", "deepseek-flash")),
    (("deepseek", "deepseek-flash"), ("deepseek", "deepseek-flash")),
    (("deepseek", "deepseek/deepseek-flash"), ("deepseek", "deepseek-flash")),
    ((None, "router"), ("router", "meta/llama")),
    ((None, "meta/llama"), ("router", "meta/llama")),
    ((None, "router/meta/llama"), ("router", "meta/llama")),
    ((None, "gpt-4o"), ("router", "gpt-4o")),
    ((None, "openai_compatible/gpt-4o"), ("openai_compatible", "gpt_4o")),
    ((None, "gpt_4o"), ("openai_compatible", "gpt_4o")),
]


@requirement("RX-02")
@pytest.mark.parametrize(("asked", "expected"), REFERENCES)
def test_references_lead_to_one_model(asked: tuple[str | None, str | None], expected: tuple[str, str]):
    assert named(*asked, DEEPSEEK, ROUTER)[:2] == expected


WRONG = [
    ((None, "gpt-9"), "there is no model “gpt-9”"),
    ((None, "gpt-9"), "claude_code_subscription/claude_sonnet_4"),
    ((None, ""), "there is no model “”"),
    (("nobody", None), "there is no provider “nobody” · known: claude_code_subscription"),
    (("openai_compatible", "opus"), "it has: gpt_4o, gpt_4o_mini, o3, o3_mini"),
    ((None, "deepseek/opus"), "deepseek has no model “opus” · it has: deepseek-flash, deepseek-pro"),
    ((None, "deepseek-flash"), "say which: deepseek/deepseek-flash, router/deepseek-flash"),
    (("lm_studio_local", "llama"), "it has: lm_studio_server_routed"),
]


@requirement("RX-02")
@pytest.mark.parametrize(("asked", "words"), WRONG)
def test_wrong_references_name_what_there_is(asked: tuple[str | None, str | None], words: str):
    with pytest.raises(ConfigurationError) as caught:
        chosen(*asked, DEEPSEEK, ROUTER)
    assert words in str(caught.value)


def test_a_model_name_that_begins_like_a_provider_is_still_found():
    meta = ProviderSettings(name="meta", kind="openai", base_url="http://127.0.0.1:1/v1", model="other")
    assert named(None, "meta/llama", meta, ROUTER)[:2] == ("router", "meta/llama")


@requirement("SD-05")
@pytest.mark.parametrize(
    ("provider", "missing", "words"),
    [
        ("claude_code_subscription", "ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN or ANTHROPIC_API_KEY is not set"),
        ("openai_compatible", "OPENAI_API_KEY", "OPENAI_API_KEY is not set"),
        ("openai_compatible", "OPENAI_BASE_URL", "OPENAI_BASE_URL is not set"),
        ("lm_studio_local", "LM_STUDIO_MODEL", "LM_STUDIO_MODEL is not set"),
        ("deepseek", "DEEPSEEK_API_KEY", "DEEPSEEK_API_KEY is not set"),
    ],
)
@pytest.mark.parametrize("value", [None, "", "  \n"])
def test_a_missing_variable_is_named(provider: str, missing: str, words: str, value: str | None):
    env = {name: said for name, said in ENV.items() if name != missing}
    if value is not None:
        env[missing] = value
    with pytest.raises(ConfigurationError, match="daedal setup") as caught:
        resolve(provider=provider, model=None, entries=[DEEPSEEK], env=env)
    assert words in str(caught.value)


@requirement("SD-05")
def test_a_token_outranks_a_key():
    both = resolve(provider=None, model=None, entries=[], env=ENV | {"ANTHROPIC_AUTH_TOKEN": "t"})
    assert both.key == Key("ANTHROPIC_AUTH_TOKEN", bearer=True)
    assert chosen().key == Key("ANTHROPIC_API_KEY", bearer=False)


@requirement("SD-05")
@pytest.mark.parametrize(
    ("provider", "variable", "default"),
    [
        ("claude_code_subscription", "ANTHROPIC_BASE_URL", "https://api.anthropic.com"),
        ("lm_studio_local", "LM_STUDIO_BASE_URL", "http://127.0.0.1:1234/v1"),
        ("openai_compatible", "OPENAI_BASE_URL", "https://api.openai.example/v1"),
    ],
)
def test_variables_say_where_an_endpoint_is(provider: str, variable: str, default: str):
    assert chosen(provider).base_url == default
    moved = resolve(provider=provider, model=None, entries=[], env=ENV | {variable: "http://127.0.0.1:9"})
    assert (moved.base_url, moved.base_url_source) == ("http://127.0.0.1:9", variable)


@requirement("RX-02")
def test_a_card_carries_prices_and_sizes():
    assert chosen(model="opus").card == ModelCard(
        provider="claude_code_subscription",
        model_id="claude_opus_4",
        wire_model="claude-opus-4-20250514",
        context_window=200_000,
        output_tokens_max=16_384,
        price=Price(input=15.0, output=75.0, cache_read=1.5, cache_write=18.75),
    )
    assert chosen(None, "deepseek", DEEPSEEK).card == ModelCard(
        provider="deepseek",
        model_id="deepseek-pro",
        wire_model="deepseek-pro",
        context_window=1_000_000,
    )


def test_a_choice_never_holds_a_credential():
    env = ENV | {"ANTHROPIC_API_KEY": "very-secret-value"}
    assert "very-secret-value" not in repr(resolve(provider=None, model=None, entries=[], env=env))


def test_every_variable_with_a_credential_is_known():
    assert credential_names([DEEPSEEK, ROUTER]) == {
        "ANTHROPIC_API_KEY",
        "ANTHROPIC_AUTH_TOKEN",
        "CLAUDE_CODE_OAUTH_TOKEN",
        "CLAUDE_CODE_OAUTH_TOKEN_FILE_DESCRIPTOR",
        "OPENAI_API_KEY",
        "LM_STUDIO_API_KEY",
        "DEEPSEEK_API_KEY",
    }


@requirement("RX-01")
def test_every_kind_that_settings_accept_can_be_made():
    kinds = msgspec.json.schema(ProviderSettings)["$defs"]["ProviderSettings"]["properties"]["kind"]["enum"]
    assert set(kinds) == set(FACTORIES)
