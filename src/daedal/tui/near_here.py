"""How is a path said briefly? From the folder that we are in on, where it is below."""

import os


def near_here(path: str) -> str:
    return path.removeprefix(os.getcwd() + os.sep)
