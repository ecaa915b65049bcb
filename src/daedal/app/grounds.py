"""Which places does a verdict depend on? The same for a thread, for who asks why, and for who replays the past."""

import os

from daedal.app.scratch import temporary_folder
from daedal.config import home
from daedal.permissions import Grounds


def grounds_in(workspace: str, secret: list[str]) -> Grounds:
    """`secret` are the files of ours that no tool may open."""
    return Grounds(
        workspace=workspace,
        readable=[temporary_folder()],
        secret=secret,
        unwritable=[os.path.realpath(home())],
        home=own_home(),
    )


def own_home() -> str:
    """The person's home folder, symlink-free like every path that a rule is held against."""
    return os.path.realpath(os.path.expanduser("~"))
