"""Which settings are there? Each room's own, gathered under their table names."""

from typing import Annotated

from msgspec import Meta, Struct

from daedal.engine import AgentSettings
from daedal.providers import NetworkSettings, ProviderSettings
from daedal.tools import ToolSettings

TRUSTED_ONLY = {"trusted_only": True}


class Settings(Struct, frozen=True, kw_only=True):
    default_model: Annotated[
        str,
        Meta(
            description="The model to use: a provider's name, a model's name, or `provider/model`.", extra=TRUSTED_ONLY
        ),
    ] = ""
    agent: AgentSettings = AgentSettings()
    providers: Annotated[list[ProviderSettings], Meta(description="Further model endpoints.", extra=TRUSTED_ONLY)] = []
    tools: ToolSettings = ToolSettings()
    network: Annotated[NetworkSettings, Meta(extra=TRUSTED_ONLY)] = NetworkSettings()
