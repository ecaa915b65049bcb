"""Which settings are in force, who set them, and where do Daedal's own files live?

Knows no setting's meaning: each room describes its own in a struct, `app` hands the sum in, and this room finds,
merges, checks, explains, edits and stores them. Also here: saved keys (`.env`), the instructions in AGENTS.md, the
custom commands and references in prompts, skills, and types of agents.

Only what every start needs is loaded with the room; the rest of its names load when they are first used.
"""

from typing import TYPE_CHECKING

from daedal.config.home import (
    Files,
    agent_path,
    database_path,
    dotenv_path,
    drafts_path,
    home,
    logins_path,
    project_root,
    secret_paths,
    settings_files,
    tasks_path,
    trust_path,
    user_config_path,
)
from daedal.config.snapshot import Effective, ModelConfig, effective, fingerprint
from daedal.protocol.rooms import loaded_when_used

if TYPE_CHECKING:
    from daedal.config.adding import add_table
    from daedal.config.agent_type import AgentsFound, AgentType
    from daedal.config.agent_types import AgentTypes
    from daedal.config.brought import narrowing
    from daedal.config.dotenv import Dotenv, read_dotenv, write_dotenv
    from daedal.config.editing import set_value, unset
    from daedal.config.explanation import Row, explain, get_value
    from daedal.config.instructions import FileInstructions
    from daedal.config.layers import Origin, OriginKind
    from daedal.config.lists import add_to_list, remove_from_list
    from daedal.config.loading import Loaded, load, load_files
    from daedal.config.loopback import Loopback, told_reason
    from daedal.config.mcp_json import add_server, declared_servers, remove_server, servers_path
    from daedal.config.mcp_plugins import add_plugin, remove_plugin
    from daedal.config.prompts import FilePrompts
    from daedal.config.reading import read_ordinary, read_text
    from daedal.config.skill_info import SkillInfo, SkillsFound
    from daedal.config.skill_settings import SkillSettings
    from daedal.config.skills import SkillShelf
    from daedal.config.subagent_model import subagent_model_for
    from daedal.config.tags import tagged
    from daedal.config.trust import Trust, trust_state
    from daedal.config.trust_file import TrustedFolder, TrustFile
    from daedal.config.vouching import changed_script
    from daedal.config.writing import replace_file

__all__ = [
    "AgentType",
    "AgentTypes",
    "AgentsFound",
    "Dotenv",
    "Effective",
    "FileInstructions",
    "FilePrompts",
    "Files",
    "Loaded",
    "Loopback",
    "ModelConfig",
    "Origin",
    "OriginKind",
    "Row",
    "SkillInfo",
    "SkillSettings",
    "SkillShelf",
    "SkillsFound",
    "Trust",
    "TrustFile",
    "TrustedFolder",
    "add_plugin",
    "add_server",
    "add_table",
    "add_to_list",
    "agent_path",
    "changed_script",
    "database_path",
    "declared_servers",
    "dotenv_path",
    "drafts_path",
    "effective",
    "explain",
    "fingerprint",
    "get_value",
    "home",
    "load",
    "load_files",
    "logins_path",
    "narrowing",
    "project_root",
    "read_dotenv",
    "read_ordinary",
    "read_text",
    "remove_from_list",
    "remove_plugin",
    "remove_server",
    "replace_file",
    "secret_paths",
    "servers_path",
    "set_value",
    "settings_files",
    "subagent_model_for",
    "tagged",
    "tasks_path",
    "told_reason",
    "trust_path",
    "trust_state",
    "unset",
    "user_config_path",
    "write_dotenv",
]

_FILES = {
    "AgentType": "agent_type",
    "AgentTypes": "agent_types",
    "AgentsFound": "agent_type",
    "Dotenv": "dotenv",
    "FileInstructions": "instructions",
    "FilePrompts": "prompts",
    "Loaded": "loading",
    "Loopback": "loopback",
    "Origin": "layers",
    "OriginKind": "layers",
    "Row": "explanation",
    "SkillInfo": "skill_info",
    "SkillSettings": "skill_settings",
    "SkillShelf": "skills",
    "SkillsFound": "skill_info",
    "Trust": "trust",
    "TrustFile": "trust_file",
    "TrustedFolder": "trust_file",
    "add_plugin": "mcp_plugins",
    "add_server": "mcp_json",
    "add_table": "adding",
    "add_to_list": "lists",
    "changed_script": "vouching",
    "declared_servers": "mcp_json",
    "explain": "explanation",
    "get_value": "explanation",
    "load": "loading",
    "load_files": "loading",
    "narrowing": "brought",
    "read_dotenv": "dotenv",
    "read_ordinary": "reading",
    "read_text": "reading",
    "remove_from_list": "lists",
    "remove_plugin": "mcp_plugins",
    "remove_server": "mcp_json",
    "replace_file": "writing",
    "servers_path": "mcp_json",
    "set_value": "editing",
    "subagent_model_for": "subagent_model",
    "tagged": "tags",
    "told_reason": "loopback",
    "trust_state": "trust",
    "unset": "editing",
    "write_dotenv": "dotenv",
}

__getattr__ = loaded_when_used(__name__, _FILES)
