"""Which model is meant? Names, references and variables become one choice, before any network I/O.

A reference is a provider's name (its default model), a model's name (in settings, on the wire, or its alias), or
`provider/model`. Where a model's name fits several providers, entries from settings outrank built-in ones; if it is
still ambiguous, the person is asked to say which.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence

from msgspec import Struct

from daedal.protocol.catalogue import say
from daedal.protocol.errors import ConfigurationError
from daedal.protocol.model import ModelCard
from daedal.providers.builtin import BUILT_IN, DEFAULT_PROVIDER
from daedal.providers.endpoints import Endpoint, Key, Model
from daedal.providers.entries import FROM_FILE, endpoints
from daedal.providers.settings import ProviderSettings

OTHER_CREDENTIALS = frozenset(
    {
        "CLAUDE_CODE_OAUTH_TOKEN",
        "CLAUDE_CODE_OAUTH_TOKEN_FILE_DESCRIPTOR",
        "ANTHROPIC_API_KEY",
        "ANTHROPIC_AUTH_TOKEN",
        "OPENAI_API_KEY",
        "LM_STUDIO_API_KEY",
    }
)
"""Variables that hold a credential wherever they are set, whichever provider is chosen."""

BLIND = ("gpt-3.5", "o1-mini", "o1-preview", "o3-mini")
"""How the names of models begin whose vendor says that they read text alone. Any other is taken to see images."""


class Choice(Struct, frozen=True, kw_only=True):
    """A model, the endpoint that offers it, and the variable with its credential; never the credential itself."""

    card: ModelCard
    endpoint: Endpoint
    model: Model
    base_url: str
    base_url_source: str
    """The setting or variable that said it."""
    key: Key | None
    """None: no credential is sent, or the endpoint's default."""

    @property
    def sees_images(self) -> bool:
        """As settings say, or as far as the model's name tells."""
        if self.model.vision is not None:
            return self.model.vision
        return not self.card.wire_model.rpartition("/")[2].startswith(BLIND)


def resolve(
    *,
    provider: str | None,
    model: str | None,
    entries: Sequence[ProviderSettings],
    env: Mapping[str, str],
    is_supplied: Callable[[Endpoint], bool] | None = None,
) -> Choice:
    """Finds the one model that is meant and checks all that it needs. Raises ConfigurationError.

    `is_supplied` tells of an endpoint without a key in a variable whether its credential comes from elsewhere.
    """
    known = endpoints(entries)
    found, chosen = _find(provider, model, known, env)
    wire_model = chosen.wire_model or _required(chosen.wire_model_env, found, env)
    base_url, source = _base_url(found, env)
    card = ModelCard(
        provider=found.name,
        model_id=chosen.id,
        wire_model=wire_model,
        context_window=chosen.context_window,
        price=chosen.price,
    )
    if chosen.output_tokens_max is not None:
        card = _with_output(card, chosen.output_tokens_max)
    key = _key(found, env, is_supplied)
    return Choice(card=card, endpoint=found, model=chosen, base_url=base_url, base_url_source=source, key=key)


def endpoint_of(provider: str | None, entries: Sequence[ProviderSettings]) -> Endpoint:
    """The endpoint of this name; the one that is used by default where none is given. Raises ConfigurationError."""
    by_name = {endpoint.name: endpoint for endpoint in endpoints(entries)}
    name = provider or DEFAULT_PROVIDER
    if name not in by_name:
        raise ConfigurationError(say("providers.provider_unknown", name=name, known=", ".join(sorted(by_name))))
    return by_name[name]


def known_models(entries: Sequence[ProviderSettings]) -> list[tuple[str, str, str]]:
    """Provider, model id and name on the wire of every model there is. `$NAME` where a variable says it."""
    return [
        (endpoint.name, model.id, model.wire_model or f"${model.wire_model_env}")
        for endpoint in endpoints(entries)
        for model in endpoint.models
    ]


def credential_names(entries: Sequence[ProviderSettings]) -> set[str]:
    """Every variable that may hold a provider's credential. Does not judge the entries: redaction comes first."""
    built_in = {key.variable for endpoint in BUILT_IN for key in endpoint.keys}
    return built_in | OTHER_CREDENTIALS | {entry.api_key_env for entry in entries if entry.api_key_env}


def _with_output(card: ModelCard, limit: int) -> ModelCard:
    from msgspec.structs import replace

    return replace(card, output_tokens_max=limit)


def _find(
    provider: str | None, model: str | None, known: list[Endpoint], env: Mapping[str, str]
) -> tuple[Endpoint, Model]:
    by_name = {endpoint.name: endpoint for endpoint in known}
    if provider is None and model is None:
        provider = DEFAULT_PROVIDER
    if provider is not None:
        if provider not in by_name:
            raise ConfigurationError(say("providers.provider_unknown", name=provider, known=", ".join(sorted(by_name))))
        return _of(by_name[provider], model, env)
    return _referred(model or "", by_name, env)


def _of(endpoint: Endpoint, model: str | None, env: Mapping[str, str]) -> tuple[Endpoint, Model]:
    """A model of a provider that is already known."""
    if model is None:
        return endpoint, _default(endpoint)
    found = _named(endpoint, model, env) or _named(endpoint, model.removeprefix(f"{endpoint.name}/"), env)
    if found is None:
        known = ", ".join(each.id for each in endpoint.models)
        raise ConfigurationError(say("providers.model_not_offered", model=model, provider=endpoint.name, known=known))
    return endpoint, found


def _referred(reference: str, by_name: Mapping[str, Endpoint], env: Mapping[str, str]) -> tuple[Endpoint, Model]:
    if reference in by_name:
        return by_name[reference], _default(by_name[reference])
    prefixed = _prefixed(reference, by_name)
    if prefixed is not None and (found := _named(prefixed[0], prefixed[1], env)):
        return prefixed[0], found
    fitting = [
        (endpoint, found) for endpoint in by_name.values() if (found := _named(endpoint, reference, env)) is not None
    ]
    fitting = [pair for pair in fitting if not pair[0].built_in] or fitting
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        raise ConfigurationError(say("providers.model_ambiguous", model=reference, known=_listed(fitting)))
    if prefixed is not None:
        return _of(*prefixed, env)
    everything = ((endpoint, each) for endpoint in by_name.values() for each in endpoint.models)
    raise ConfigurationError(say("providers.model_unknown", model=reference, known=_listed(everything)))


def _prefixed(reference: str, by_name: Mapping[str, Endpoint]) -> tuple[Endpoint, str] | None:
    """The provider and the rest of `provider/model`. Models' own names may hold slashes too."""
    at = reference.find("/")
    while at >= 0:
        if reference[:at] in by_name:
            return by_name[reference[:at]], reference[at + 1 :]
        at = reference.find("/", at + 1)
    return None


def _listed(pairs: Iterable[tuple[Endpoint, Model]]) -> str:
    return ", ".join(f"{endpoint.name}/{model.id}" for endpoint, model in pairs)


def _named(endpoint: Endpoint, name: str, env: Mapping[str, str]) -> Model | None:
    for model in endpoint.models:
        if name and name in (model.id, model.wire_model or env.get(model.wire_model_env, ""), model.alias):
            return model
    return None


def _default(endpoint: Endpoint) -> Model:
    return next(model for model in endpoint.models if model.id == endpoint.default)


def _base_url(endpoint: Endpoint, env: Mapping[str, str]) -> tuple[str, str]:
    if endpoint.kind in FROM_FILE:
        return "", ""
    if endpoint.base_url_env and (said := env.get(endpoint.base_url_env, "").strip()):
        return said, endpoint.base_url_env
    return endpoint.base_url or _required(endpoint.base_url_env, endpoint, env), f"providers.{endpoint.name}.base_url"


def _required(variable: str, endpoint: Endpoint, env: Mapping[str, str]) -> str:
    if value := env.get(variable, "").strip():
        return value
    raise ConfigurationError(say("providers.variable_missing", variable=variable, provider=endpoint.name))


def _key(endpoint: Endpoint, env: Mapping[str, str], is_supplied: Callable[[Endpoint], bool] | None) -> Key | None:
    for key in endpoint.keys:
        if env.get(key.variable, "").strip():
            return key
    if not endpoint.keys or endpoint.key_default or (is_supplied is not None and is_supplied(endpoint)):
        return None
    names = say("providers.or").join(key.variable for key in endpoint.keys)
    raise ConfigurationError(say("providers.variable_missing", variable=names, provider=endpoint.name))
