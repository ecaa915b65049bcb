"""Which settings are in force, who set them, and where do Daedal's own files live?

Knows no setting's meaning: each room describes its own in a struct, `app` hands the sum in, and this room finds,
merges, checks, explains, edits and stores them. Also here: saved keys (`.env`) and the instructions in AGENTS.md.

Only what every start needs is loaded with the room; the rest of its names load when they are first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from daedal.config.home import (
    Files,
    database_path,
    dotenv_path,
    home,
    project_config_path,
    project_root,
    settings_files,
    user_config_path,
)
from daedal.config.snapshot import Effective, ModelConfig, effective, fingerprint

if TYPE_CHECKING:
    from daedal.config.adding import add_table
    from daedal.config.dotenv import Dotenv, read_dotenv, write_dotenv
    from daedal.config.editing import set_value, unset
    from daedal.config.explanation import Row, explain, get_value
    from daedal.config.instructions import FileInstructions
    from daedal.config.layers import Origin, OriginKind
    from daedal.config.loading import Loaded, load

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
    "add_table",
    "database_path",
    "dotenv_path",
    "effective",
    "explain",
    "fingerprint",
    "get_value",
    "home",
    "load",
    "project_config_path",
    "project_root",
    "read_dotenv",
    "set_value",
    "settings_files",
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
    "add_table": "adding",
    "explain": "explanation",
    "get_value": "explanation",
    "load": "loading",
    "read_dotenv": "dotenv",
    "set_value": "editing",
    "unset": "editing",
    "write_dotenv": "dotenv",
}


def __getattr__(name: str) -> object:
    if name not in _LOADED_LATER:
        raise AttributeError(name)
    value: object = getattr(import_module(f"{__name__}.{_LOADED_LATER[name]}"), name)
    globals()[name] = value
    return value
