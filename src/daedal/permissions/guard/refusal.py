"""What does the guard say when it refuses? A rule with a stable name, and what the model can do instead."""

from enum import StrEnum


class Rule(StrEnum):
    UNLISTED = "guard:unlisted"
    STATE = "guard:state-folder"
    STEERING = "guard:steering"
    OUTSIDE = "guard:outside"
    DESTRUCTIVE = "guard:destructive"
    READ_ONLY = "guard:read-only"
    GIT = "guard:git-exec"
    CODE = "guard:code"
    ENVIRONMENT = "guard:environment"
    CONSTRUCT = "guard:construct"
    OPTION = "guard:option"
    PKILL = "guard:pkill"
    ALLOWED = "guard:listed"


class Refused(Exception):
    """Raised wherever one command of the line may not run; the whole line is then refused."""

    def __init__(self, rule: Rule, reason: str) -> None:
        super().__init__(reason)
        self.rule = rule
        self.reason = reason


def unknown_path(raw: str) -> Refused:
    return Refused(
        Rule.CONSTRUCT,
        f"{raw} is only known to the shell, so it cannot be checked where it would lead. Write the path out.",
    )
