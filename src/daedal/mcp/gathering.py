"""Which servers are there in a folder? The user's, and the project's where it is trusted, each with its variables."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, cast

from msgspec import Struct

from daedal.config import Files, declared_servers
from daedal.mcp.entries import CALL_TIMEOUT_S, Entry, ServerConfig, load_servers
from daedal.mcp.expansion import project_variables

BROUGHT = "brought along"


def gathered(
    plugins: Sequence[Any],
    *,
    origin: Callable[[int], str],
    brought: Sequence[Any] = (),
    schema: type[Struct],
    files: Files,
    user_variables: Mapping[str, str],
    child_environment: Mapping[str, str],
    credential_names: Collection[str],
    call_timeout_s: float = CALL_TIMEOUT_S,
) -> tuple[list[ServerConfig], list[str]]:
    """The servers and a warning for each that is none.

    `plugins` are the settings in force, and `origin` says which file and line an entry of them came from. `brought` are
    entries that came from no file, but from the person's own program: they count before the project's.
    `user_variables` are what the user's own entries may name; `child_environment` is the environment that children get,
    and `credential_names` what is not in it.
    """
    written = [(said, origin(index)) for index, said in enumerate(plugins)]
    entries = [Entry(said=said, origin=where, is_project=_is_project(where, files)) for said, where in written]
    entries += [
        Entry(
            said=_with_name(declared.said, declared.name),
            origin=declared.origin,
            is_project=True,
            is_weak=True,
        )
        for declared in declared_servers(schema, files)
    ]
    entries += [Entry(said=said, origin=BROUGHT, is_weak=True, is_literal=True) for said in brought]
    variables: dict[str, str] = {}
    warnings: list[str] = []
    if files.root is not None and any(entry.is_project for entry in entries):
        variables, warnings = project_variables(files.root, child_environment, credential_names)
    found, flaws = load_servers(entries, user=user_variables, project=variables, call_timeout_s=call_timeout_s)
    return found, [*warnings, *flaws]


def _with_name(said: Any, name: str) -> Any:
    return {**cast("dict[str, Any]", said), "name": name} if isinstance(said, dict) else said


def _is_project(origin: str, files: Files) -> bool:
    """Whatever stands in a file of the project's. What came by the ledger or is managed is nobody's project."""
    return any(path is not None and origin.startswith(f"{path}:") for path in files.brought())
