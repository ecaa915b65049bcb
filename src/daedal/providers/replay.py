"""How does a recorded conversation play again? The calls of a cassette in their order, with no network at all."""

from collections.abc import AsyncIterator, Sequence

from daedal.protocol.catalogue import say
from daedal.protocol.errors import ProviderError
from daedal.protocol.model import Brief, Chunk, ModelCard, ToolSpec
from daedal.protocol.seams import Provider
from daedal.protocol.turns import ErrorKind
from daedal.providers import cassette
from daedal.providers.unsent import Unsent


def replaying(path: str) -> Provider:
    """A provider that says what the cassette says, under the recorded model's name. Raises ConfigurationError."""
    return ReplayProvider(path)


class ReplayProvider:
    """The dialogues of one place share its lines: the next call there takes the next line, whoever makes it."""

    def __init__(self, path: str, card: ModelCard | None = None) -> None:
        self._path = path
        self._calls = cassette.read(path)
        self._positions: dict[str, int] = {}
        self.card = card or self._calls[0].card

    def open(self, brief: Brief) -> "ReplayDialogue":
        return ReplayDialogue(self, brief)

    async def close(self) -> None:
        pass

    def take(self, place: str) -> cassette.RecordedCall:
        calls = [call for call in self._calls if call.place == place]
        position = self._positions.get(place, 0)
        if position >= len(calls):
            message = say("providers.cassette_used_up", path=self._path, calls=len(calls))
            raise ProviderError(message, ErrorKind.CONFIGURATION)
        self._positions[place] = position + 1
        return calls[position]


class ReplayDialogue(Unsent):
    def __init__(self, provider: ReplayProvider, brief: Brief) -> None:
        super().__init__(brief)
        self._provider = provider
        self._place = brief.place

    def offer(self, tools: Sequence[ToolSpec]) -> None:
        """What the model may call does not change what was recorded."""

    async def stream(self, *, output_tokens_max: int | None = None) -> AsyncIterator[Chunk]:  # noqa: ARG002
        call = self._provider.take(self._place)
        for recorded in call.chunks:
            chunk = cassette.played(recorded)
            if chunk is not None:
                yield chunk
        if call.error is not None:
            raise ProviderError(call.error.message, call.error.kind, status=call.error.status)
