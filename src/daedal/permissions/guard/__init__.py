"""May this run while nobody watches? Allow or deny for unattended work, under the profile `run` or `sync`."""

from daedal.permissions.guard.agent_config import AgentConfig, agent_config
from daedal.permissions.guard.guard import Guard
from daedal.permissions.guard.refusal import Rule

__all__ = ["AgentConfig", "Guard", "Rule", "agent_config"]
