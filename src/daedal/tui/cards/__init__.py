"""What does the engine ask the person? One card for each kind of question, put up when it comes."""

from importlib import import_module
from typing import Any

from daedal.protocol.wire import Request
from daedal.tui.face import Face

FILES = {"ApprovalRequest": "approval", "InputRequest": "inquiry"}
"""Kind of question → its file here, which has `async answer(face, asked)`. To add a kind, add a line and a file."""


async def answer(face: Face, request: Request) -> Any:
    """None where there is no card for it: the engine takes that for no answer."""
    file = FILES.get(type(request.params).__name__)
    if file is None:
        return None
    return await import_module(f"{__name__}.{file}").answer(face, request.params)
