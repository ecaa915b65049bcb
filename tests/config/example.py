"""Settings as rooms describe them, with every shape and mark that `config` knows, and how long a search may take."""

from enum import StrEnum
from typing import Annotated, Any, Literal

from hypothesis import HealthCheck, settings
from msgspec import Meta, Struct

from daedal.config import ModelConfig

unhurried = settings(deadline=None, max_examples=60, database=None, suppress_health_check=list(HealthCheck))
"""A slow machine is no reason to fail."""


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


class Provider(Struct, frozen=True, kw_only=True):
    name: str
    base_url: str = ""
    models: list[str] = []
    secret_name: Annotated[str, Meta(extra={"user_only": True})] = ""


class Agent(Struct, frozen=True, kw_only=True):
    max_steps: Annotated[int, Meta(ge=0, description="Rounds per turn.", extra={"user_only": True})] = 0
    temperature: Annotated[float, Meta(description="How freely it talks.")] = 0.0
    names: dict[str, str] = {}
    mode: Literal["ask", "allow"] = "ask"


class Shell(Struct, frozen=True, kw_only=True):
    path: str | None = None
    colour: Colour = Colour.RED


class Tools(Struct, frozen=True, kw_only=True):
    enabled: list[str] = []
    fast: bool = False
    terminal: Shell = Shell()


class Open(Struct, frozen=True, kw_only=True):
    least: int = 0
    most: int = 10

    def __post_init__(self) -> None:
        if self.least > self.most:
            raise ValueError("least is above most")


class Settings(Struct, frozen=True, kw_only=True):
    default_model: Annotated[str, Meta(description="The model to start with.")] = "none"
    agent: Agent = Agent()
    tools: Tools = Tools()
    providers: Annotated[list[Provider], Meta(description="Endpoints.", extra={"trusted_only": True})] = []
    labels: list[Provider] = []
    extra: dict[str, Any] = {}
    limits: Open = Open()


def chosen(settings: Settings) -> ModelConfig | None:
    provider, _, model = settings.default_model.partition("/")
    return ModelConfig(provider, model) if model else None
