"""What must another agent be able to do to be our guest? Be told, be heard, and wait before it acts."""

from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping, Sequence
from typing import Any, Protocol

from msgspec import Struct

from daedal.guests.lent import Lent
from daedal.protocol.confinement import Confinement
from daedal.protocol.content import ToolResult
from daedal.protocol.model import Chunk, ModelCard
from daedal.protocol.seams import Bench, Outcome


class Stay(Struct, frozen=True, kw_only=True):
    """What a guest is told about the thread that it works in."""

    thread_id: str
    workspace: str
    model: str | None
    """None: the guest's own choice."""
    system: str
    """What it is told beside its own instructions."""
    walls: Confinement
    lent: Mapping[str, Lent]
    """Tools of ours that it may use, by our names."""
    recall: Callable[[], Awaitable[str | None]]
    """What it calls this conversation itself, where it had it before."""
    remember: Callable[[str], Awaitable[None]]
    """Puts that on the record."""
    warn: Callable[[str], Awaitable[None]]
    """For the person."""


class Guest(Protocol):
    """One conversation with another agent."""

    @property
    def is_working(self) -> bool:
        """Whether a turn of its is under way, perhaps waiting for us."""
        ...

    @property
    def is_new(self) -> bool:
        """Whether it knows nothing yet of what was said in the thread."""
        ...

    async def open(self) -> None:
        """Makes it ready to be told something. Does nothing where it is. Raises ProviderError."""
        ...

    async def say(self, texts: Sequence[str]) -> None:
        """Begins a turn, or adds to the one under way. Raises ProviderError."""
        ...

    def hear(self) -> AsyncIterator[Chunk]:
        """What it says until it waits for us, or is done. Raises ProviderError. Cancellable."""
        ...

    async def run(self, arguments: Mapping[str, Any], bench: Bench) -> Outcome:
        """Lets it do what it wanted to do under the bench's id. Cancelled, it has stopped."""
        ...

    async def refuse(self, call_id: str, reason: str) -> None:
        """It must not do that. Does nothing where it does not wait for an answer. Raises ProviderError."""
        ...

    async def settle(self, result: ToolResult) -> None:
        """What came of a call of a lent tool; of any other that still waits, why it did not run. As `refuse`."""
        ...

    async def hush(self) -> None:
        """Stops the turn under way, if there is one. Never raises."""
        ...

    async def close(self) -> None: ...


class Host(Protocol):
    """Knows one kind of guest."""

    @property
    def name(self) -> str: ...

    @property
    def takes_changes(self) -> bool:
        """Whether a call can be run with another input than it was asked for."""
        ...

    @property
    def borrows(self) -> Collection[str]:
        """Which of our own tools it has nothing of its own for."""
        ...

    @property
    def keeps_tools(self) -> bool:
        """Whether a conversation that it carries on has the tools that were lent when it began, and no others."""
        ...

    def confines(self, walls: Confinement) -> bool:
        """Whether commands that it runs are held within these."""
        ...

    def card(self, model: str | None) -> ModelCard:
        """Checks that such a guest can come at all. Raises ConfigurationError, without network I/O."""
        ...

    def invite(self, stay: Stay) -> Guest: ...
