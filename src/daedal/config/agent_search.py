"""Which types of agents lie in some folders, and what is one told? A list reads only the beginning of each file."""

from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from daedal.config.agent_file import ENDING, ReadType, read_type
from daedal.config.agent_type import AgentsFound, AgentType, LoadedAgent
from daedal.config.builtin_agents import BUILTIN
from daedal.config.frontmatter import Malformed
from daedal.config.kept_files import fence_of, files_below, some_of
from daedal.config.kept_folders import KeptFolder
from daedal.config.markdown_file import read_head, read_prompt
from daedal.config.steering import Findings
from daedal.config.subagent_model import INHERIT
from daedal.protocol.catalogue import say


class _Kept(Struct, frozen=True):
    type: AgentType
    path: str
    """As the file system knows it, whatever characters are in it."""
    fence: str | None


class AgentSearch:
    """One look at folders, those that outrank others first."""

    def __init__(self, folders: Sequence[KeptFolder], root: str) -> None:
        self._findings = Findings(root)
        self._kept: dict[str, _Kept] = {}
        for folder in folders:
            here: dict[str, str] = {}
            for path, fence, read in self._in_folder(folder):
                name = read.type.name
                if name in here:
                    self._findings.leave_out_twin(path, name, here[name])
                elif name not in self._kept and self._may_be_called(name, folder, path):
                    for note in read.notes:
                        self._findings.note(path, note)
                    self._kept[name] = _Kept(self._steered(read.type, folder, path), path, fence)
                here.setdefault(name, path)

    def found(self) -> AgentsFound:
        return AgentsFound(
            [kept.type for kept in self._kept.values()], self._findings.problems(), self._findings.steering
        )

    def load(self, name: str) -> LoadedAgent | None:
        """None where there is none of that name. Raises UsageError where it cannot be read."""
        kept = self._kept.get(name)
        return None if kept is None else LoadedAgent(kept.type, read_prompt(kept.path, kept.fence))

    def _in_folder(self, folder: KeptFolder) -> Iterator[tuple[str, str | None, ReadType]]:
        try:
            fence = fence_of(folder)
        except Malformed as error:
            self._findings.leave_out(folder.path, error)
            return
        for path in some_of(files_below(folder, ENDING, fence, self._findings), folder, self._findings):
            try:
                yield path, fence, read_type(read_head(path, fence), path, folder.source)
            except Malformed as error:
                self._findings.leave_out(path, error)

    def _may_be_called(self, name: str, folder: KeptFolder, path: str) -> bool:
        """Whoever asks for a built-in agent means that one, unless the user says otherwise."""
        return name not in BUILTIN or self._findings.may_steer(folder, path, say("config.agent.replaces", name=name))

    def _steered(self, found: AgentType, folder: KeptFolder, path: str) -> AgentType:
        """Without a choice of model, or of what it costs, that nobody trusts."""
        model, effort = found.model, found.effort
        if effort and not self._findings.may_steer(folder, path, say("config.kept.effort", effort=effort)):
            found = replace(found, effort=None)
        if model in ("", INHERIT) or self._findings.may_steer(folder, path, say("config.kept.model", model=model)):
            return found
        return replace(found, model="")
