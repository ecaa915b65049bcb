"""Which variables does a child process get? Ours, without what only the agent itself may know."""

import os
from collections.abc import Collection, Mapping

MARK = "DAEDAL_COMMAND"
"""Names the command that a process belongs to. Children inherit it, which is how runaways are found."""

_signatures: dict[int, str] = {}

SECRET_WORDS = ("KEY", "TOKEN", "SECRET", "PASSWORD", "CREDENTIAL")


def signature() -> str:
    """Names this process: the marks of the commands that it starts begin with it."""
    pid = os.getpid()
    if pid not in _signatures:  # a fork is another process
        _signatures[pid] = f"{pid}-{os.urandom(4).hex()}"
    return _signatures[pid]


def is_control_secret(name: str) -> bool:
    """Whether one of our own control variables holds a secret, by its name."""
    return name.startswith("DAEDAL_") and any(word in name for word in SECRET_WORDS)


def child_environment(credential_names: Collection[str], extra: Mapping[str, str] | None) -> dict[str, str]:
    """The mark is always there, if only empty: so a child that lost it can be told from one a library started."""
    inherited = {
        name: value
        for name, value in os.environ.items()
        if name not in credential_names and not is_control_secret(name)
    }
    return {MARK: "", **inherited, **(extra or {})}


def marked(environment: Mapping[str, str], name: str) -> dict[str, str]:
    """The same with a further mark, by which everything that the command starts can be found."""
    return {**environment, MARK: f"{environment.get(MARK, '')}/{name}"}
