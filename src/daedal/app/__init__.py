"""How is the house put together? The only place that knows every room; everything else receives what it needs."""

from typing import TYPE_CHECKING

from daedal.protocol.rooms import loaded_when_used

if TYPE_CHECKING:
    from daedal.app.accounts import HouseAccounts
    from daedal.app.bare import stripped
    from daedal.app.credentials import Credentials, secret_names
    from daedal.app.desk import open_desk
    from daedal.app.doctor import confinement_here, examined
    from daedal.app.git import NeutralGit
    from daedal.app.house import HouseOptions, open_engine, open_house
    from daedal.app.in_force import settings_in_force
    from daedal.app.lookups import HouseLookups
    from daedal.app.memories import corrected, living
    from daedal.app.reading import open_ledger
    from daedal.app.replaying import Replayed, read_rules, replayed
    from daedal.app.rules import explained, folder_policy, listed_rules, write_rule
    from daedal.app.settings import Settings
    from daedal.app.startup import start_up
    from daedal.app.trial import TrialResult, try_provider
    from daedal.app.trusting import revoke_trust, trust_folder

__all__ = [
    "Credentials",
    "HouseAccounts",
    "HouseLookups",
    "HouseOptions",
    "NeutralGit",
    "Replayed",
    "Settings",
    "TrialResult",
    "confinement_here",
    "corrected",
    "examined",
    "explained",
    "folder_policy",
    "listed_rules",
    "living",
    "open_desk",
    "open_engine",
    "open_house",
    "open_ledger",
    "read_rules",
    "replayed",
    "revoke_trust",
    "secret_names",
    "settings_in_force",
    "start_up",
    "stripped",
    "trust_folder",
    "try_provider",
    "write_rule",
]

_FILES = {
    "revoke_trust": "trusting",
    "trust_folder": "trusting",
    "living": "memories",
    "corrected": "memories",
    "folder_policy": "rules",
    "explained": "rules",
    "write_rule": "rules",
    "listed_rules": "rules",
    "confinement_here": "doctor",
    "examined": "doctor",
    "settings_in_force": "in_force",
    "Credentials": "credentials",
    "HouseAccounts": "accounts",
    "HouseLookups": "lookups",
    "HouseOptions": "house",
    "NeutralGit": "git",
    "Replayed": "replaying",
    "Settings": "settings",
    "TrialResult": "trial",
    "open_desk": "desk",
    "open_engine": "house",
    "open_house": "house",
    "open_ledger": "reading",
    "read_rules": "replaying",
    "replayed": "replaying",
    "secret_names": "credentials",
    "start_up": "startup",
    "stripped": "bare",
    "try_provider": "trial",
}

__getattr__ = loaded_when_used(__name__, _FILES)
"""Loads a part of the house when it is first used: listing sessions needs no engine."""
