"""What can a person set about models and the way to them? `[[providers]]` and `[[logins]]` entries, the `[network]`
and `[auth]` tables.

Only shapes and single values are checked here, by type; what must fit together is checked in `entries`.
"""

from typing import Annotated, Literal

from msgspec import Meta, Struct

Name = Annotated[str, Meta(min_length=1)]
Dollars = Annotated[float, Meta(ge=0)]
Seconds = Annotated[float, Meta(gt=0)]


class PriceSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """US dollars per million tokens."""

    input: Annotated[Dollars, Meta(description="Dollars per million input tokens.")] = 0.0
    output: Annotated[Dollars, Meta(description="Dollars per million output tokens.")] = 0.0
    cache_read: Annotated[Dollars, Meta(description="Dollars per million tokens read from a cache.")] = 0.0
    cache_write: Annotated[Dollars, Meta(description="Dollars per million tokens written to a cache.")] = 0.0


class ProviderSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One `[[providers]]` entry: an endpoint and the models it offers."""

    name: Annotated[Name, Meta(description="How settings and flags refer to this provider.")]
    kind: Annotated[
        Literal["anthropic", "openai", "replay", "script"],
        Meta(description="What it speaks: anthropic, openai, replay (a cassette) or script (a file of replies)."),
    ]
    base_url: Annotated[
        str | None,
        Meta(description="Where it is. openai: up to and including /v1; anthropic: what comes before /v1/messages."),
    ] = None
    wire: Annotated[
        Literal["chat", "responses"] | None,
        Meta(description="openai only: chat (Chat Completions, the default) or responses (Responses API)."),
    ] = None
    model: Annotated[Name | None, Meta(description="The one model, by its name on the wire.")] = None
    models: Annotated[list[Name] | None, Meta(description="Several models, by their names on the wire.")] = None
    default: Annotated[
        Name | None, Meta(description="Which of `models` is meant by the provider's name alone; the first if not set.")
    ] = None
    api_key_env: Annotated[
        Name | None,
        Meta(
            description="The environment variable that holds the key; leave it out where no key is needed. "
            "anthropic: a variable that ends in AUTH_TOKEN is sent as a bearer token, any other as x-api-key.",
            extra={"user_only": True},
        ),
    ] = None
    headers: Annotated[
        dict[str, str] | None, Meta(description="Further HTTP headers; nothing secret belongs here.")
    ] = None
    context_window: Annotated[
        int, Meta(ge=0, description="How many tokens fit the model; 0 when unknown, which disables compaction.")
    ] = 0
    output_tokens_max: Annotated[
        Annotated[int, Meta(ge=1)] | None,
        Meta(description="The longest reply to ask for; openai leaves it to the server if not set."),
    ] = None
    price: Annotated[PriceSettings | None, Meta(description="What tokens cost; without it, costs are unknown.")] = None
    temperature: Annotated[Annotated[float, Meta(ge=0, le=2)] | None, Meta(description="Sampling temperature.")] = None
    thinking_tokens: Annotated[
        Annotated[int, Meta(ge=1024)] | None,
        Meta(description="anthropic only: how many tokens the model may think; off if not set."),
    ] = None
    reasoning_effort: Annotated[
        Literal["none", "minimal", "low", "medium", "high", "xhigh"] | None,
        Meta(description="openai only: how hard a reasoning model thinks."),
    ] = None
    vision: Annotated[
        bool | None,
        Meta(
            description="Whether the models see images; if not set, all do but a few that are known not to. Those "
            "that do not are told in words that there was one."
        ),
    ] = None
    thinks: Annotated[
        bool | None,
        Meta(description="Whether the models can be told how hard to think; if not set, as far as their names tell."),
    ] = None
    file: Annotated[Name | None, Meta(description="replay: the cassette; script: the JSON file of replies.")] = None


Endpoint = Annotated[Name | None, Meta(description="Where the issuer publishes nothing about itself.")]


class LoginSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One `[[logins]]` entry: where `daedal auth login` logs in at a provider. Nothing of it is secret."""

    provider: Annotated[Name, Meta(description="The provider whose models the login is for.")]
    issuer: Annotated[Name, Meta(description="URL of the authorization server; https, or on this machine.")]
    client_id: Annotated[Name, Meta(description="As which client Daedal is registered there.")]
    scopes: Annotated[list[Name], Meta(description="What is asked for.")] = []
    redirect_port: Annotated[
        int, Meta(ge=0, le=65535, description="The port that the browser comes back to; 0: any that is free.")
    ] = 0
    authorization_endpoint: Endpoint = None
    token_endpoint: Annotated[
        Name | None, Meta(description="Where the issuer publishes nothing about itself; then give all that you need.")
    ] = None
    device_authorization_endpoint: Endpoint = None
    revocation_endpoint: Endpoint = None


class AuthSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The `[auth]` table: who else supplies the key for claude_code_subscription."""

    api_key_helper: Annotated[
        Name | None, Meta(description="A command that prints the key; asked before model calls, never before trust.")
    ] = None
    api_key_helper_ttl_s: Annotated[Seconds, Meta(description="How long its answer is good, unless refused.")] = 300.0
    api_key_helper_timeout_s: Annotated[Seconds, Meta(description="How long it may take.")] = 30.0


class NetworkSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The `[network]` table: how patient to be, and which way to take."""

    attempts_max: Annotated[int, Meta(ge=1, le=100, description="How often one model call is tried in all.")] = 6
    backoff_base_s: Annotated[
        Seconds, Meta(description="The first wait before a retry is at most this long; each next one twice as long.")
    ] = 0.5
    backoff_max_s: Annotated[Seconds, Meta(description="No wait of our own choosing is longer.")] = 30.0
    retry_after_max_s: Annotated[
        Seconds, Meta(description="The longest wait a server may ask for; asked for more, the call is given up.")
    ] = 120.0
    connect_timeout_s: Annotated[Seconds, Meta(description="To be connected, TLS and proxy included.")] = 15.0
    idle_timeout_s: Annotated[Seconds, Meta(description="No byte for so long means that the stream has stalled.")] = (
        120.0
    )
    ca_file: Annotated[
        Name | None, Meta(description="PEM file of certificate authorities to trust besides the system's.")
    ] = None
    proxy: Annotated[
        Name | None,
        Meta(
            description="http:// or https:// URL of a proxy, before HTTPS_PROXY and HTTP_PROXY; NO_PROXY still holds."
        ),
    ] = None
