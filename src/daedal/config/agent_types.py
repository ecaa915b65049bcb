"""Which types of agents does a workspace have? Those that are built in, and one in each Markdown file.

Of a name, the project's counts before the user's. Where there is no folder of such files, which every start finds out,
nothing more is loaded.
"""

import os
from typing import TYPE_CHECKING

from daedal.config.agent_type import AgentsFound, AgentType, LoadedAgent
from daedal.config.builtin_agents import BUILTIN, builtin_prompt
from daedal.config.home import project_root
from daedal.config.kept_folders import SOURCES, kept_folders
from daedal.protocol.catalogue import say
from daedal.protocol.errors import UsageError

if TYPE_CHECKING:
    from daedal.config.agent_search import AgentSearch


class AgentTypes:
    """Looks anew with each call."""

    def __init__(self, workspace: str) -> None:
        self._workspace = workspace

    def listed(self) -> list[AgentType]:
        return self.look().types

    def look(self) -> AgentsFound:
        search = self._search()
        found = AgentsFound() if search is None else search.found()
        types = {**BUILTIN, **{one.name: one for one in found.types}}
        ordered = sorted(types.values(), key=lambda one: (SOURCES.index(one.source), one.name))
        return AgentsFound(ordered, found.problems, found.steering)

    def load(self, name: str) -> LoadedAgent:
        """Raises UsageError where there is no such type, or it cannot be read."""
        search = self._search()
        loaded = None if search is None else search.load(name)
        if loaded is None and name in BUILTIN:
            return LoadedAgent(BUILTIN[name], builtin_prompt(name))
        if loaded is None:
            raise UsageError(say("config.agent.unknown", name=name))
        return loaded

    def _search(self) -> "AgentSearch | None":
        folders = kept_folders(self._workspace, "agents", of_users=(".claude",))
        if not folders:
            return None
        from daedal.config.agent_search import AgentSearch

        return AgentSearch(folders, project_root(os.path.realpath(self._workspace)))
