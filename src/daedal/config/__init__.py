"""Which settings are in force, who set them, and where do Daedal's own files live?

Knows no setting's meaning: each room describes its own in a struct, `app` hands the sum in, and this room finds,
merges, checks, explains, edits and stores them. Also here: saved keys (`.env`) and the instructions in AGENTS.md.

Only what every start needs is loaded with the room; the rest of its names load when they are first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from daedal.config.home import (
    Files,
    agent_path,
    database_path,
    dotenv_path,
    home,
    project_config_path,
    project_root,
    settings_files,
    trust_path,
    user_config_path,
)
from daedal.config.snapshot import Effective, ModelConfig, effective, fingerprint

if TYPE_CHECKING:
    from daedal.config.adding import add_table
    from daedal.config.brought import narrowing
    from daedal.config.dotenv import Dotenv, read_dotenv, write_dotenv
    from daedal.config.editing import set_value, unset
    from daedal.config.explanation import Row, explain, get_value
    from daedal.config.instructions import FileInstructions
    from daedal.config.layers import Origin, OriginKind
    from daedal.config.lists import add_to_list, remove_from_list
    from daedal.config.loading import Loaded, load, load_files
    from daedal.config.reading import read_ordinary
    from daedal.config.trust import Trust, trust_state
    from daedal.config.trust_file import TrustedFolder, TrustFile
    from daedal.config.vouching import changed_script

__all__ = [
    "Dotenv",
    "Effective",
    "FileInstructions",
    "Files",
    "Loaded",
    "ModelConfig",
    "Origin",
    "OriginKind",
    "Row",
    "Trust",
    "TrustFile",
    "TrustedFolder",
    "add_table",
    "add_to_list",
    "agent_path",
    "changed_script",
    "database_path",
    "dotenv_path",
    "effective",
    "explain",
    "fingerprint",
    "get_value",
    "home",
    "load",
    "load_files",
    "narrowing",
    "project_config_path",
    "project_root",
    "read_dotenv",
    "read_ordinary",
    "remove_from_list",
    "set_value",
    "settings_files",
    "trust_path",
    "trust_state",
    "unset",
    "user_config_path",
    "write_dotenv",
]

_LOADED_LATER = {
    "Dotenv": "dotenv",
    "FileInstructions": "instructions",
    "Loaded": "loading",
    "Origin": "layers",
    "OriginKind": "layers",
    "Row": "explanation",
    "Trust": "trust",
    "TrustFile": "trust_file",
    "TrustedFolder": "trust_file",
    "add_table": "adding",
    "add_to_list": "lists",
    "changed_script": "vouching",
    "explain": "explanation",
    "get_value": "explanation",
    "load": "loading",
    "load_files": "loading",
    "narrowing": "brought",
    "read_dotenv": "dotenv",
    "read_ordinary": "reading",
    "remove_from_list": "lists",
    "set_value": "editing",
    "trust_state": "trust",
    "unset": "editing",
    "write_dotenv": "dotenv",
}


def __getattr__(name: str) -> object:
    if name not in _LOADED_LATER:
        raise AttributeError(name)
    value: object = getattr(import_module(f"{__name__}.{_LOADED_LATER[name]}"), name)
    globals()[name] = value
    return value
