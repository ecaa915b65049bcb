"""What would have been sent to a model that nobody asks? Scripts and cassettes answer by themselves."""

from daedal.protocol.content import Message
from daedal.protocol.model import Brief
from daedal.providers.wire import to_json


class Unsent:
    """The side of a dialogue that speaks, for those whose other side does not listen."""

    def __init__(self, brief: Brief) -> None:
        self._system = brief.system
        self._said = bytearray()

    def append(self, message: Message) -> None:
        """Kept as it is, though it does not change the answer."""
        self._said += to_json(message.content) + b","

    @property
    def size(self) -> int:
        return len(self._system) + len(self._said)

    def request(self) -> bytes:
        return b"%b,%b" % (to_json(self._system), self._said)
