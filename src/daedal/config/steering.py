"""What is noticed on the way through skills and agents? What is wrong with a file, and what it would decide.

What one tells the model is read without trust, as AGENTS.md is. But which model runs, and at whose cost, is not for a
stranger to say: from a project's file that counts only with the very content that the person trusted.
"""

from daedal.config.home import trust_path
from daedal.config.kept_folders import KeptFolder, Steering
from daedal.config.legible import legible
from daedal.config.scripts import digest
from daedal.config.trust_file import TrustFile
from daedal.protocol.catalogue import say
from daedal.protocol.errors import ConfigurationError

PROBLEMS_MAX = 50


class Findings:
    def __init__(self, root: str) -> None:
        """`root` is the project's folder, without links in its path."""
        self._root = root
        self._trusted: dict[str, str] | None = None
        self._problems: list[str] = []
        self.steering: list[Steering] = []

    def problems(self) -> list[str]:
        more = len(self._problems) - PROBLEMS_MAX
        return self._problems[:PROBLEMS_MAX] + ([say("config.kept.more_problems", count=more)] if more > 0 else [])

    def leave_out(self, path: str, reason: object) -> None:
        self._problems.append(say("config.kept.left_out", path=legible(path), reason=reason))

    def leave_out_twin(self, path: str, name: str, first: str) -> None:
        """Another folder outranks this one or not; within one folder nobody can have meant two of one name."""
        self.leave_out(path, say("config.kept.twin", name=name, first=legible(first)))

    def note(self, path: str, what: str) -> None:
        """Something that is wrong with it and does not matter to the rest."""
        self._problems.append(f"{legible(path)}: {what}")

    def may_steer(self, folder: KeptFolder, path: str, claim: str) -> bool:
        """The user's own files may; a project's has to be trusted as it is."""
        if folder.project is None:
            return True
        self.steering.append(Steering(path, claim))
        if self._is_trusted(path):
            return True
        self._problems.append(say("config.kept.withheld", path=legible(path), claim=claim))
        return False

    def _is_trusted(self, path: str) -> bool:
        known = self._known().get(path[len(self._root.rstrip("/")) + 1 :])
        return known is not None and known == digest(path, self._root)

    def _known(self) -> dict[str, str]:
        """Looked up only where a file asks for it."""
        if self._trusted is None:
            try:
                approved = TrustFile(trust_path()).folders().get(self._root)
            except ConfigurationError:
                approved = None
            self._trusted = {} if approved is None else approved.files
        return self._trusted
