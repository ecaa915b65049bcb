"""Within which walls does a thread work? Values only: `config` says them, `sandbox` builds them."""

from enum import StrEnum, auto

from msgspec import Struct


class Network(StrEnum):
    OFF = auto()
    ON = auto()
    LISTED = auto()
    """Only the domains in `domains`, through a filtering proxy that is the only way out."""


class Confinement(Struct, frozen=True, kw_only=True):
    """What file tools and commands may touch. All paths absolute and symlink-free; folders contain themselves."""

    workspace: str
    writable: list[str]
    """The workspace, `allow_write`, the temporary folder."""
    read_only: list[str] = []
    """Holes in `writable`: the state folder of an unattended run, a project that is only looked at."""
    unreadable: list[str] = []
    """`forbid_read`, saved keys, the ledger. Holds for tools and commands."""
    network: Network = Network.OFF
    domains: list[str] = []
    enabled: bool = True
    """False under --no-sandbox: commands run unconfined, and file tools keep only to `unreadable`."""
