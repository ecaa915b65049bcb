"""What do tokens of a model cost? As settings say, or as the vendors publish it."""

from collections.abc import Sequence

from daedal.protocol.model import Price
from daedal.providers.entries import endpoints
from daedal.providers.settings import ProviderSettings


def price_of(wire_model: str, entries: Sequence[ProviderSettings]) -> Price | None:
    """By its name on the wire, whoever offers it; settings come first. Raises ConfigurationError."""
    for endpoint in endpoints(entries):
        for model in endpoint.models:
            if model.wire_model == wire_model and model.price is not None:
                return model.price
    return None
