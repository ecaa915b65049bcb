"""What stands in a thread that needs no model? A provider that keeps nothing and is never asked."""

from collections.abc import AsyncIterator, Sequence

from daedal.protocol.content import Message
from daedal.protocol.model import Brief, Chunk, ModelCard, ToolSpec


class AbsentProvider:
    """For tool calls by hand. The engine refuses turns on it, so its dialogue is never streamed."""

    card = ModelCard(provider="", model_id="", wire_model="")

    def open(self, brief: Brief) -> "AbsentDialogue":
        del brief
        return AbsentDialogue()

    async def close(self) -> None:
        return None


class AbsentDialogue:
    size = 0

    def append(self, message: Message) -> None:
        del message

    def offer(self, tools: Sequence[ToolSpec]) -> None:
        del tools

    def stream(self, *, output_tokens_max: int | None = None) -> AsyncIterator[Chunk]:
        del output_tokens_max
        raise AssertionError("a thread without a model has no turns")
