"""Which folder is a command to look at, and what holds there?"""

import os

from daedal.app import Settings, settings_in_force
from daedal.cli.streams import warn
from daedal.protocol.catalogue import say
from daedal.protocol.errors import UsageError


def project_in_force(cd: str | None) -> tuple[str, Settings]:
    """The folder that a command is to look at, and what holds there. Warnings are told; raises UsageError."""
    folder = os.path.realpath(cd or os.getcwd())
    if not os.path.isdir(folder):
        raise UsageError(say("engine.no_such_folder", path=folder))
    settings = settings_in_force(folder, lambda trouble: warn(str(trouble)))
    for warning in settings.warnings:
        warn(warning)
    return folder, settings.value
