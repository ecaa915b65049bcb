"""How does an editor drive a thread? Agent Client Protocol over stdio, through `client`.

The official library knows the protocol's messages; this room says what each of them means in ours. Each session has an
engine of its own, opened for its folder, so that the settings of one project never hold in another. The library is
slow to load, and nothing of it is loaded before somebody serves an editor.
"""

from typing import TYPE_CHECKING

from daedal.protocol.rooms import loaded_when_used

if TYPE_CHECKING:
    from daedal.editor.program import Program
    from daedal.editor.serving import Service

__all__ = ["Program", "Service"]

_FILES = {"Program": "program", "Service": "serving"}

__getattr__ = loaded_when_used(__name__, _FILES)
"""Loads a part of the room when it is first used."""
