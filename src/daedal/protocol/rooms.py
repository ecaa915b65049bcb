"""How does a room offer what it has, without loading it before somebody wants it?"""

import sys
from collections.abc import Callable
from importlib import import_module


def loaded_when_used(room: str, files: dict[str, str]) -> Callable[[str], object]:
    """A room's `__getattr__`. `files` says where a public name is: in `file`, or as `file:name` under another name."""

    def load(name: str) -> object:
        if name not in files:
            raise AttributeError(f"{room} has no {name}", name=name, obj=sys.modules[room])
        file, _, other_name = files[name].partition(":")
        value: object = getattr(import_module(f"{room}.{file}"), other_name or name)
        setattr(sys.modules[room], name, value)
        return value

    return load
