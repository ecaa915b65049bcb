"""How does a guest hear what our engine tells a model? New words are said to it, results it knows, refusals it gets."""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence

from msgspec.json import decode

from daedal.guests.guest import Guest
from daedal.protocol.content import Message, Role, Text, ToolResult, ToolUse
from daedal.protocol.model import CallRequested, Chunk, ToolSpec

GO_ON = "Go on from where you were interrupted."
RECAP_CHARACTERS_MAX = 60_000


class GuestDialogue:
    """The `Dialogue` seam. The guest keeps its own history; only what it cannot know yet is said to it."""

    size = 0

    def __init__(self, invited: Callable[[], Awaitable[Guest]]) -> None:
        self._invited = invited
        self._earlier: list[Message] = []
        """What the record had when the thread was loaded."""
        self._fresh: list[Message] = []
        self._calls: list[ToolUse] = []
        """What the guest wants to do, as it asked for it together."""

    def append(self, message: Message) -> None:
        self._fresh.append(message)

    def begin(self) -> None:
        """The thread is loaded: what was appended so far is history."""
        self._earlier, self._fresh = [*self._earlier, *self._fresh], []

    def offer(self, tools: Sequence[ToolSpec]) -> None:
        del tools  # A guest has tools of its own.

    def take_calls(self) -> list[ToolUse]:
        calls, self._calls = self._calls, []
        return calls

    async def stream(self, *, output_tokens_max: int | None = None) -> AsyncIterator[Chunk]:
        del output_tokens_max
        guest = await self._invited()
        blocks = [block for message in self._fresh if message.role is Role.USER for block in message.content]
        texts = [block.text for block in blocks if isinstance(block, Text)]
        results = [block for block in blocks if isinstance(block, ToolResult)]
        if guest.is_working:
            for result in results:
                await guest.settle(result)
            if texts:
                await guest.say(texts)
        else:
            await guest.say(self._opening(guest, texts, results))
        self._earlier, self._fresh, self._calls = [], [], []
        async for chunk in guest.hear():
            if isinstance(chunk, CallRequested):
                self._calls.append(ToolUse(chunk.id, chunk.name, decode(chunk.arguments)))
            yield chunk

    def _opening(self, guest: Guest, texts: list[str], results: list[ToolResult]) -> list[str]:
        """What a turn begins with. Results are those of calls that a crash or an interruption cut off."""
        told = [f"About an earlier call of yours: {result.content}" for result in results]
        if guest.is_new and self._earlier:
            told.insert(0, recap(self._earlier))
        elif not texts and self._earlier and self._earlier[-1].role is Role.USER:
            texts = [block.text for block in self._earlier[-1].content if isinstance(block, Text)]
        return [*told, *(texts or [GO_ON])]


def recap(messages: Sequence[Message]) -> str:
    """A conversation that somebody else had, for a guest that comes to it later. The newest of it, where it is long."""
    lines = [line for message in messages for block in message.content if (line := _line(message, block))]
    text = "\n\n".join(lines)
    if len(text) > RECAP_CHARACTERS_MAX:
        text = f"[…]{text[-RECAP_CHARACTERS_MAX:]}"
    return f"This is what was said and done here before you came:\n<earlier>\n{text}\n</earlier>"


def _line(message: Message, block: object) -> str:
    match block:
        case Text(text):
            return f"{message.role}: {text}"
        case ToolUse(_, name, arguments):
            return f"{message.role} called {name} with {arguments}"
        case ToolResult(_, content):
            return f"result: {content}"
        case _:
            return ""
