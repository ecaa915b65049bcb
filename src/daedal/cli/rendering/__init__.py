"""How is a headless run shown? As text for a person, one JSON object, or a stream of JSON lines for a program."""

from typing import Protocol

from daedal.cli.exit_codes import ExitCode
from daedal.protocol.threads import ThreadStartResponse
from daedal.protocol.turns import ErrorKind, Turn
from daedal.protocol.wire import Notification

__all__ = ["Renderer", "renderer_for"]


class Renderer(Protocol):
    def opened(self, thread: ThreadStartResponse) -> None: ...

    def event(self, notification: Notification) -> None: ...

    def aside(self, notification: Notification) -> None:
        """The same of a thread that works for this one."""
        ...

    def ended(self, turn: Turn, code: ExitCode) -> None: ...

    def failed(self, message: str, kind: ErrorKind) -> None:
        """The run ended before there was a turn."""
        ...

    @property
    def is_open(self) -> bool:
        """Whether there is a turn that can be interrupted."""
        ...


def renderer_for(output_format: str) -> Renderer:
    match output_format:
        case "json":
            from daedal.cli.rendering.json import JsonRenderer

            return JsonRenderer()
        case "stream-json":
            from daedal.cli.rendering.json import StreamRenderer

            return StreamRenderer()
        case _:
            from daedal.cli.rendering.text import TextRenderer

            return TextRenderer()
