"""What can faces look up beside threads? Models, settings, verdicts, runs of hooks, receipts."""

from typing import Any

from msgspec import Struct


class ModelListParams(Struct, rename="camel", frozen=True, kw_only=True):
    limit: int | None = None
    cursor: str | None = None
    include_hidden: bool | None = None


class Effort(Struct, rename="camel", frozen=True, kw_only=True):
    reasoning_effort: str
    description: str


class Model(Struct, rename="camel", frozen=True, kw_only=True):
    id: str
    """`provider/model`, as `--model` takes it."""
    model: str
    """Its name on the wire."""
    display_name: str
    description: str
    is_default: bool
    hidden: bool = False
    provider: str
    """Ours."""
    default_reasoning_effort: str = "medium"
    supported_reasoning_efforts: list[Effort] = []


class ModelListResponse(Struct, rename="camel", frozen=True, kw_only=True):
    data: list[Model]
    next_cursor: str | None = None


class ConfigReadParams(Struct, rename="camel", frozen=True, kw_only=True):
    cwd: str | None = None
    include_layers: bool = False


class ConfigReadResponse(Struct, rename="camel", frozen=True, kw_only=True):
    config: dict[str, Any]
    """The settings in force, without secrets. Those that Codex has too are called as there."""
    origins: dict[str, Any] = {}
    settings: list[dict[str, Any]] = []
    """Ours: each with its value, the file that set it, and what it means; and where a file says something else by now,
    `next` and `nextOrigin`."""


class RecordParams(Struct, rename="camel", frozen=True, kw_only=True):
    """Of one thread, or of all of them."""

    thread_id: str | None = None
    limit: int | None = None


class VerdictsResponse(Struct, rename="camel", frozen=True, kw_only=True):
    """`thread/verdicts/list`, ours."""

    data: list[dict[str, Any]]


class HookRunsResponse(Struct, rename="camel", frozen=True, kw_only=True):
    """`thread/hookRuns/list`, ours."""

    data: list[dict[str, Any]]


class ReceiptsResponse(Struct, rename="camel", frozen=True, kw_only=True):
    """`receipt/list`, ours."""

    data: list[dict[str, Any]]
    is_whole: bool
    """The chain that they are part of was never tampered with."""
