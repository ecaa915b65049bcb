"""What is an endpoint, whether built in or from settings? Where it is, what opens it, which models it offers."""

from msgspec import Struct

from daedal.protocol.model import Price


class Model(Struct, frozen=True, kw_only=True):
    """A model of an endpoint."""

    id: str
    """The name in settings."""
    wire_model: str
    """The name on the wire. Empty where a variable says it."""
    wire_model_env: str = ""
    """The variable that holds the name on the wire."""
    alias: str = ""
    context_window: int = 0
    output_tokens_max: int | None = None
    """None: whatever the server does by itself."""
    price: Price | None = None
    vision: bool | None = None
    """Whether it sees images. None: as far as its name tells."""
    thinks: bool | None = None
    """Whether it can be told how hard to think. None: as far as its name tells."""


class Key(Struct, frozen=True):
    """A variable that may hold a credential, and how its value travels."""

    variable: str
    bearer: bool
    """As `Authorization: Bearer`; otherwise as `x-api-key`."""


class Endpoint(Struct, frozen=True, kw_only=True):
    """Built in or from a `[[providers]]` entry; from here on nobody cares which."""

    name: str
    kind: str
    models: tuple[Model, ...]
    default: str
    """The id of the model that the endpoint's name alone means."""
    wire: str = "chat"
    base_url: str = ""
    """Empty where only `base_url_env` can say it."""
    base_url_env: str = ""
    """The variable that, if set, says where it is."""
    keys: tuple[Key, ...] = ()
    """The first of these that is set counts. None at all: no credential is sent."""
    key_default: str = ""
    """What is sent where no key is set; empty: one must be set."""
    headers: dict[str, str] = {}
    temperature: float | None = None
    thinking_tokens: int | None = None
    reasoning_effort: str | None = None
    thinking_effort: str | None = None
    """anthropic: how hard a model thinks that chooses its budget itself."""
    file: str = ""
    built_in: bool = False
