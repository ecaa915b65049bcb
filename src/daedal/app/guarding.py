"""What else judges where nobody watches? The guard, with what the project's agent file allows beside the baseline.

The file comes with the code: what it widens counts only in a trusted folder.
"""

import os
from collections.abc import Callable
from typing import Any, cast

import msgspec
from msgspec import Struct

from daedal.app.settings import Settings
from daedal.config import agent_path, narrowing, read_ordinary, settings_files, trust_state
from daedal.engine import Terms
from daedal.permissions import Guard, Rule, agent_config, parse_rule
from daedal.protocol.catalogue import say
from daedal.protocol.errors import ConfigurationError
from daedal.protocol.verdict import Decision, ToolRequest

AGENT_FILE_BYTES_MAX = 1_048_576


class Guarding(Struct, frozen=True):
    """The guard of unattended work as a `Policy`, and the rules that the agent file adds."""

    guard: Guard
    rules: list[Rule]

    def decide(self, request: ToolRequest) -> Decision:
        return self.guard.decide_call(request.tool, request.input, request.paths, request.cwd)


def guarding(terms: Terms, warn: Callable[[str], None]) -> Guarding:
    extra = _agent_file(terms.workspace)
    config, warnings = agent_config(extra)
    rules: list[Rule] = []
    for text in (*config.permissions_allow, *config.allowed_tools):
        try:
            rules.append(parse_rule(text, source="agent.json"))
        except ValueError as error:
            warnings.append(say("app.bad_rule", rule=text, why=error))
    for warning in warnings:
        warn(f"{agent_path(terms.workspace)}: {warning}")
    guard = Guard(
        profile=terms.guard or "run",
        project=terms.workspace,
        home=os.path.expanduser("~"),
        extra=extra,
        allow_destructive=terms.allow_destructive,
    )
    return Guarding(guard, rules)


def _agent_file(workspace: str) -> Any:
    """What counts of the file; None where there is none. Raises ConfigurationError where it is no JSON."""
    path = agent_path(workspace)
    try:
        contents = read_ordinary(path, bytes_max=AGENT_FILE_BYTES_MAX)
        said = msgspec.json.decode(contents.data)
    except FileNotFoundError:
        return None
    except (OSError, msgspec.DecodeError, RecursionError) as error:
        raise ConfigurationError(say("app.bad_agent_file", path=path, error=error)) from error
    known = cast("dict[str, Any]", said)
    if not isinstance(said, dict) or _is_trusted(contents.data, path, workspace):
        return known
    return narrowing(known)


def _is_trusted(data: bytes, path: str, workspace: str) -> bool:
    """Whether the person saw this very content and trusts the folder."""
    from hashlib import sha256

    files = settings_files(workspace)
    state = trust_state(Settings, files)
    name = os.path.relpath(path, files.root or workspace)
    return state.is_trusted and state.files.get(name) == sha256(data).hexdigest()
