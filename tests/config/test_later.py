"""Every key of the harness specification is read or rejected by name."""

import pytest
from msgspec import Struct

from daedal.app import Settings
from daedal.config import get_value, load
from daedal.config.later import LATER
from daedal.protocol.catalogue.en.config import WORDS
from daedal.protocol.errors import ConfigurationError

READ = {
    "default_model",
    "language",
    "agent.reasoning_language",
    "agent.system_prompt",
    "agent.system_prompt_file",
    "agent.max_steps",
    "agent.planner_max_steps",
    "agent.planner_model",
    "agent.subagent_model",
    "agent.subagent_models",
    "providers",
    "tools.enabled",
    "tools.bash_timeout_seconds",
    "tools.shell",
    "skills.paths",
    "skills.excluded_paths",
    "skills.disabled_skills",
    "tools.mcp_call_timeout_seconds",
    "tools.mcp_wait_seconds",
    "permissions",
    "plugins",
    "sandbox",
}
"""Keys that rooms have settings for."""

SPECIFIED = {
    *READ,
    *(f"agent.{key}" for key in ("temperature", "memory_compiler", "plan_mode_allowed_tools")),
    "serve",
}


class Agent(Struct):
    pass


class Tools(Struct):
    pass


class Empty(Struct):
    agent: Agent
    tools: Tools


def test_every_specified_key_is_read_or_known_as_later() -> None:
    for key in READ:
        get_value(Settings(), key)  # raises where no room has it
    assert set(LATER) >= SPECIFIED - READ
    assert not READ & set(LATER)


@pytest.mark.parametrize("key", sorted(LATER))
def test_a_later_key_is_rejected_by_name(tmp_path_factory: pytest.TempPathFactory, key: str) -> None:
    file = tmp_path_factory.mktemp("later") / "config.toml"
    file.write_text(f"agent = {{}}\ntools = {{}}\n{key} = 1\n" if "." not in key else f"{key} = 1\n")
    with pytest.raises(ConfigurationError, match=f"{key} is known, but this version has no "):
        load(Empty, user_file=str(file), project_file=None, flags={})


def test_every_later_feature_has_words_and_no_words_are_left_over() -> None:
    worded = {key.removeprefix("config.feature.") for key in WORDS if key.startswith("config.feature.")}
    assert worded == set(LATER.values())
