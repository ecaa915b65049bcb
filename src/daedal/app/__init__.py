"""How is the house put together? The only place that knows every room; everything else receives what it needs."""

from typing import TYPE_CHECKING

from daedal.protocol.rooms import loaded_when_used

if TYPE_CHECKING:
    from daedal.app.credentials import Credentials, secret_names
    from daedal.app.house import House, HouseOptions, open_engine, open_house
    from daedal.app.lookups import HouseLookups
    from daedal.app.reading import open_ledger
    from daedal.app.replaying import Replayed, read_rules, replayed
    from daedal.app.settings import Settings
    from daedal.app.startup import start_up
    from daedal.app.trial import TrialResult, try_provider

__all__ = [
    "Credentials",
    "House",
    "HouseLookups",
    "HouseOptions",
    "Replayed",
    "Settings",
    "TrialResult",
    "open_engine",
    "open_house",
    "open_ledger",
    "read_rules",
    "replayed",
    "secret_names",
    "start_up",
    "try_provider",
]

_FILES = {
    "Credentials": "credentials",
    "House": "house",
    "HouseLookups": "lookups",
    "HouseOptions": "house",
    "Replayed": "replaying",
    "Settings": "settings",
    "TrialResult": "trial",
    "open_engine": "house",
    "open_house": "house",
    "open_ledger": "reading",
    "read_rules": "replaying",
    "replayed": "replaying",
    "secret_names": "credentials",
    "start_up": "startup",
    "try_provider": "trial",
}

__getattr__ = loaded_when_used(__name__, _FILES)
"""Loads a part of the house when it is first used: listing sessions needs no engine."""
