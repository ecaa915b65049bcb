"""Which endpoints does Daedal know without being told? Three names with closed lists of models; prices as published."""

from daedal.protocol.model import Price
from daedal.providers.endpoints import Endpoint, Key, Model

DEFAULT_PROVIDER = "claude_code_subscription"
ANTHROPIC_URL = "https://api.anthropic.com"


def _claude(model_id: str, wire_model: str, alias: str, *, dollars: float, output_tokens_max: int) -> Model:
    """Output costs five times the input; reading a cache a tenth of it, writing one a quarter more."""
    price = Price(
        input=dollars,
        output=dollars * 5,
        cache_read=round(dollars * 0.1, 6),
        cache_write=round(dollars * 1.25, 6),
    )
    return Model(
        id=model_id,
        wire_model=wire_model,
        alias=alias,
        context_window=200_000,
        output_tokens_max=output_tokens_max,
        price=price,
    )


def _openai(model_id: str, wire_model: str, *, window: int, output: int, price: Price) -> Model:
    return Model(id=model_id, wire_model=wire_model, context_window=window, output_tokens_max=output, price=price)


BUILT_IN: tuple[Endpoint, ...] = (
    Endpoint(
        name="claude_code_subscription",
        kind="anthropic",
        base_url=ANTHROPIC_URL,
        base_url_env="ANTHROPIC_BASE_URL",
        keys=(Key("ANTHROPIC_AUTH_TOKEN", bearer=True), Key("ANTHROPIC_API_KEY", bearer=False)),
        default="claude_sonnet_4",
        models=(
            _claude("claude_opus_4", "claude-opus-4-20250514", "opus", dollars=15.0, output_tokens_max=16_384),
            _claude("claude_sonnet_4", "claude-sonnet-4-20250514", "sonnet", dollars=3.0, output_tokens_max=16_384),
            _claude("claude_3_5_haiku", "claude-3-5-haiku-20241022", "haiku", dollars=0.8, output_tokens_max=8_192),
        ),
        built_in=True,
    ),
    Endpoint(
        name="openai_compatible",
        kind="openai",
        base_url_env="OPENAI_BASE_URL",
        keys=(Key("OPENAI_API_KEY", bearer=True),),
        default="gpt_4o",
        models=(
            _openai(
                "gpt_4o", "gpt-4o", window=128_000, output=16_384, price=Price(input=2.5, output=10.0, cache_read=1.25)
            ),
            _openai(
                "gpt_4o_mini",
                "gpt-4o-mini",
                window=128_000,
                output=16_384,
                price=Price(input=0.15, output=0.6, cache_read=0.075),
            ),
            _openai("o3", "o3", window=200_000, output=32_768, price=Price(input=2.0, output=8.0, cache_read=0.5)),
            _openai(
                "o3_mini",
                "o3-mini",
                window=200_000,
                output=32_768,
                price=Price(input=1.1, output=4.4, cache_read=0.55),
            ),
        ),
        built_in=True,
    ),
    Endpoint(
        name="lm_studio_local",
        kind="openai",
        base_url="http://127.0.0.1:1234/v1",
        base_url_env="LM_STUDIO_BASE_URL",
        keys=(Key("LM_STUDIO_API_KEY", bearer=True),),
        key_default="lm-studio",
        default="lm_studio_server_routed",
        models=(Model(id="lm_studio_server_routed", wire_model="", wire_model_env="LM_STUDIO_MODEL"),),
        built_in=True,
    ),
)
