"""Does a `[[providers]]` entry make sense? Becomes an endpoint, or an error that names the entry and the key."""

import re
from collections.abc import Sequence
from typing import NoReturn

from daedal.protocol.catalogue import say
from daedal.protocol.errors import ConfigurationError
from daedal.protocol.model import Price
from daedal.providers import address
from daedal.providers.builtin import ANTHROPIC_URL, BUILT_IN
from daedal.providers.endpoints import Endpoint, Key, Model
from daedal.providers.settings import ProviderSettings

FROM_FILE = ("replay", "script")

_ONLY = {
    "base_url": ("anthropic", "openai"),
    "api_key_env": ("anthropic", "openai"),
    "headers": ("anthropic", "openai"),
    "temperature": ("anthropic", "openai"),
    "vision": ("anthropic", "openai"),
    "thinks": ("anthropic", "openai"),
    "thinking_tokens": ("anthropic",),
    "wire": ("openai",),
    "reasoning_effort": ("openai",),
    "file": FROM_FILE,
}
"""Keys that only some kinds read."""

_VARIABLE = r"[A-Za-z_][A-Za-z0-9_]*"
_HEADER_NAME = r"[A-Za-z0-9!#$%&'*+.^_`|~-]+"
_OURS = frozenset(
    {
        "authorization",
        "x-api-key",
        "host",
        "content-length",
        "content-type",
        "transfer-encoding",
        "connection",
        "accept",
    }
)
"""Headers that are not for settings to change: credentials come from variables, the rest is framing."""


def endpoints(entries: Sequence[ProviderSettings]) -> list[Endpoint]:
    """Those from settings first, then the built-in ones. Raises ConfigurationError."""
    taken = {endpoint.name for endpoint in BUILT_IN}
    ours: list[Endpoint] = []
    for entry in entries:
        if entry.name in taken:
            built_in = any(entry.name == endpoint.name for endpoint in BUILT_IN)
            _wrong(entry, "name", say("providers.name_built_in" if built_in else "providers.name_twice"))
        taken.add(entry.name)
        ours.append(endpoint(entry))
    return [*ours, *BUILT_IN]


def endpoint(entry: ProviderSettings) -> Endpoint:
    _check(entry)
    models = _models(entry)
    return Endpoint(
        name=entry.name,
        kind=entry.kind,
        models=models,
        default=entry.default or models[0].id,
        wire=entry.wire or "chat",
        base_url=entry.base_url or (ANTHROPIC_URL if entry.kind == "anthropic" else ""),
        keys=(_key(entry.kind, entry.api_key_env),) if entry.api_key_env else (),
        headers=entry.headers or {},
        temperature=entry.temperature,
        thinking_tokens=entry.thinking_tokens,
        reasoning_effort=entry.reasoning_effort,
        file=entry.file or "",
    )


def _key(kind: str, variable: str) -> Key:
    return Key(variable, bearer=kind == "openai" or variable.endswith("AUTH_TOKEN"))


def _models(entry: ProviderSettings) -> tuple[Model, ...]:
    price = entry.price
    names = entry.models or [entry.model or entry.name]
    return tuple(
        Model(
            id=name,
            wire_model=name,
            context_window=entry.context_window,
            output_tokens_max=entry.output_tokens_max,
            vision=entry.vision,
            thinks=entry.thinks,
            price=None
            if price is None
            else Price(
                input=price.input, output=price.output, cache_read=price.cache_read, cache_write=price.cache_write
            ),
        )
        for name in names
    )


def _check(entry: ProviderSettings) -> None:
    if "/" in entry.name or any(letter.isspace() for letter in entry.name):
        _wrong(entry, "name", say("providers.name_malformed"))
    for key, kinds in _ONLY.items():
        if getattr(entry, key) is not None and entry.kind not in kinds:
            _wrong(entry, key, say("providers.key_of_other_kind", kind=entry.kind, kinds=" or ".join(kinds)))
    _check_models(entry)
    if entry.kind in FROM_FILE:
        if entry.file is None:
            _wrong(entry, "file", say("providers.key_missing", kind=entry.kind))
        return
    _check_way(entry)
    if entry.thinking_tokens is not None and entry.temperature is not None:
        _wrong(entry, "temperature", say("providers.temperature_while_thinking"))


def _check_models(entry: ProviderSettings) -> None:
    if entry.model is not None and entry.models is not None:
        _wrong(entry, "models", say("providers.model_and_models"))
    if entry.model is None and not entry.models and entry.kind not in FROM_FILE:
        _wrong(entry, "model", say("providers.key_missing", kind=entry.kind))
    offered = entry.models or [entry.model]
    if len(set(offered)) < len(offered):
        _wrong(entry, "models", say("providers.model_twice"))
    if entry.default is not None and entry.default not in offered:
        _wrong(entry, "default", say("providers.default_not_offered", model=entry.default))


def _check_way(entry: ProviderSettings) -> None:
    source = f"providers.{entry.name}.base_url"
    if entry.base_url is None:
        if entry.kind == "openai":
            _wrong(entry, "base_url", say("providers.key_missing", kind=entry.kind))
    elif address.parse(entry.base_url, source=source).userinfo:
        _wrong(entry, "base_url", say("providers.url_with_login"))
    if entry.api_key_env is not None and not re.fullmatch(_VARIABLE, entry.api_key_env):
        _wrong(entry, "api_key_env", say("providers.not_a_variable"))  # it may be the key itself: not repeated
    for name, value in (entry.headers or {}).items():
        if name.lower() in _OURS:
            _wrong(entry, f"headers.{name}", say("providers.header_ours"))
        if not re.fullmatch(_HEADER_NAME, name) or not is_header_value(value):
            _wrong(entry, f"headers.{name}", say("providers.header_malformed"))


def is_header_value(text: str) -> bool:
    return text.isascii() and text.isprintable()


def _wrong(entry: ProviderSettings, key: str, what: str) -> NoReturn:
    raise ConfigurationError(say("providers.entry_wrong", name=entry.name, key=key, what=what))
