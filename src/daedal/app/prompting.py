"""What may a prompt refer to? What the person may read, but for keys, the ledger, and what rules keep closed."""

import os
from collections.abc import Callable, Sequence

from daedal.app.startup import Startup
from daedal.config import FilePrompts
from daedal.protocol.verdict import Posture, ToolRequest, Verdict


def prompts_of(startup: Startup) -> FilePrompts:
    """Commands and references in prompts, kept to the rules of the house."""
    return FilePrompts(lambda: closed_files(startup), read_rules(startup), startup.settings.skills)


def closed_files(startup: Startup) -> list[str]:
    """What no prompt may show, whoever names it."""
    from daedal.app.gating import secret_files

    forbidden = [os.path.expanduser(path) for path in startup.settings.sandbox.forbid_read]
    return [*secret_files(startup), *forbidden]


def read_rules(startup: Startup) -> Callable[[str, Sequence[str]], Callable[[str], bool]]:
    """For a workspace and the thread's own deny rules: whether reading a path is denied."""

    def rules(workspace: str, deny: Sequence[str]) -> Callable[[str], bool]:
        from daedal.app.gating import ThreadRules
        from daedal.engine import Terms

        terms = Terms(thread_id="", workspace=workspace, posture=Posture.ASK, deny=list(deny))
        book = ThreadRules(startup, terms, lambda _: None)

        def is_denied(path: str) -> bool:
            request = ToolRequest(
                tool_use_id="",
                tool="Read",
                input={"file_path": path},
                read_only=True,
                paths=[path],
                cwd=workspace,
                principal="",
            )
            return book.decide(request).verdict is Verdict.DENY

        return is_denied

    return rules
