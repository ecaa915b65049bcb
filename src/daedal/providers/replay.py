"""How does a recorded conversation play again? The calls of a cassette in their order, with no network at all."""

from collections.abc import AsyncIterator, Sequence

from daedal.protocol.catalogue import say
from daedal.protocol.content import Message
from daedal.protocol.errors import ProviderError
from daedal.protocol.model import Brief, Chunk, ModelCard, ToolSpec
from daedal.protocol.seams import Provider
from daedal.protocol.turns import ErrorKind
from daedal.providers import cassette


def replaying(path: str) -> Provider:
    """A provider that says what the cassette says, under the recorded model's name. Raises ConfigurationError."""
    return ReplayProvider(path)


class ReplayProvider:
    """All dialogues share one cassette: the next call takes the next line, whoever makes it."""

    def __init__(self, path: str, card: ModelCard | None = None) -> None:
        self._path = path
        self._calls = cassette.read(path)
        self._position = 0
        self.card = card or self._calls[0].card

    def open(self, brief: Brief) -> "ReplayDialogue":  # noqa: ARG002  what was recorded stays as it is
        return ReplayDialogue(self)

    async def close(self) -> None:
        pass

    def take(self) -> cassette.RecordedCall:
        if self._position >= len(self._calls):
            message = say("providers.cassette_used_up", path=self._path, calls=len(self._calls))
            raise ProviderError(message, ErrorKind.CONFIGURATION)
        self._position += 1
        return self._calls[self._position - 1]


class ReplayDialogue:
    def __init__(self, provider: ReplayProvider) -> None:
        self._provider = provider

    def append(self, message: Message) -> None:
        """What was said before does not change what was recorded."""

    def offer(self, tools: Sequence[ToolSpec]) -> None:
        """Neither does what the model may call."""

    async def stream(self, *, output_tokens_max: int | None = None) -> AsyncIterator[Chunk]:  # noqa: ARG002
        call = self._provider.take()
        for recorded in call.chunks:
            chunk = cassette.played(recorded)
            if chunk is not None:
                yield chunk
        if call.error is not None:
            raise ProviderError(call.error.message, call.error.kind, status=call.error.status)
