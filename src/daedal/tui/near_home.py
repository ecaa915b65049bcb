"""How is a path said briefly? From the person's home on, where it is below."""

import os


def near_home(path: str) -> str:
    home = os.path.expanduser("~")
    if path == home or path.startswith(home + os.sep):
        return "~" + path[len(home) :]
    return path
