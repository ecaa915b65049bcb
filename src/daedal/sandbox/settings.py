"""What can be set about confinement, and which walls follow from it?"""

import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Annotated

from msgspec import Meta, Struct

if TYPE_CHECKING:
    from daedal.protocol.confinement import Confinement

TRUSTED_ONLY = {"trusted_only": True}
"""What widens the walls is not for a stranger's project to say."""

STATE_FOLDER = ".daedal"


class SandboxSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    enabled: Annotated[bool, Meta(description="Whether commands and file tools are confined.", extra=TRUSTED_ONLY)] = (
        True
    )
    workspace_root: Annotated[
        str, Meta(description="The folder that may be written; empty takes the project.", extra=TRUSTED_ONLY)
    ] = ""
    allow_write: Annotated[list[str], Meta(description="More folders that may be written.", extra=TRUSTED_ONLY)] = []
    forbid_read: Annotated[
        list[str],
        Meta(
            description="Files and folders that neither tools nor commands may read, as `${HOME}/.ssh` or `~/.aws`.",
            extra={"additive": True},
        ),
    ] = []
    network: Annotated[
        bool | list[str],
        Meta(
            description="What commands may reach: false nothing, true everything, a list only these domains"
            " (`example.org`, `*.example.org`).",
            extra=TRUSTED_ONLY,
        ),
    ] = False


def confinement(
    settings: SandboxSettings,
    *,
    workspace: str,
    home: str,
    temp: str,
    unreadable: Iterable[str],
    unattended: bool,
    read_only: Iterable[str] = (),
    environment: Mapping[str, str] | None = None,
) -> "Confinement":
    """The walls. Settings may be relative to the workspace; `environment` fills in variables beside HOME."""
    from daedal.protocol.confinement import Confinement, Network

    known = {**(environment or {}), "HOME": home}

    def places(written: list[str]) -> list[str]:
        if not written:
            return []
        from daedal.sandbox.variables import expand

        filled = (expand(text, known) for text in written)
        return [_real(os.path.join(workspace, path)) for path in filled if path is not None]

    root = next(iter(places([settings.workspace_root] if settings.workspace_root else [])), _real(workspace))
    state = [os.path.join(root, STATE_FOLDER)] if unattended else []
    listed = [] if isinstance(settings.network, bool) else settings.network
    return Confinement(
        workspace=root,
        writable=_once([root, *places(settings.allow_write), _real(temp)]),
        read_only=_once([*map(_real, read_only), *state]),
        unreadable=_once([*places(settings.forbid_read), *map(_real, unreadable)]),
        network=Network.ON if settings.network is True else Network.LISTED if listed else Network.OFF,
        domains=list(listed),
        enabled=settings.enabled,
    )


def _real(path: str) -> str:
    return os.path.realpath(path)


def _once(paths: list[str]) -> list[str]:
    return list(dict.fromkeys(paths))
