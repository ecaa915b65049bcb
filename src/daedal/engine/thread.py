"""What does a thread that is being driven hold in memory? Its dialogue, tools, gate and place; no history to reread."""

from msgspec import Struct

from daedal.engine.hooking import ThreadHooks
from daedal.engine.terms import Terms
from daedal.protocol.content import Message
from daedal.protocol.model import Usage
from daedal.protocol.records import Record
from daedal.protocol.seams import Dialogue, Gate, Lease, Provider, Toolbox
from daedal.protocol.threads import ThreadLimits


class LoadedThread(Struct, kw_only=True):
    id: str
    conversation_id: str
    workspace: str
    cwd: str
    """Moves with `cd`; the workspace does not."""
    provider: Provider
    dialogue: Dialogue
    toolbox: Toolbox
    terms: Terms
    hooks: ThreadHooks
    limits: ThreadLimits
    created_at: int
    gate: Gate | None = None
    """Made when the first call comes."""
    lease: Lease | None = None
    """The right to drive it, from when it is loaded until it is let go."""
    preview: str = ""
    context: list[str] = []
    """What hooks want the model to know with the next prompt."""
    opening_words: str = ""
    """What a hook wants said before the first prompt."""
    unsaved: list[Record] = []
    """What opens the session on the record; it goes into the first turn's first commit."""
    usage: Usage = Usage()
    cost_usd: float | None = None
    """Since the thread was loaded; None until something with a price was used."""
    call_ids: set[str] = set()
    instructed: set[str] = set()
    """Instruction files that the model has seen, and folders that were looked through for them."""
    settled: bool = True
    """False after a resume, until what a crash may have left open is dealt with."""
    asks_next: bool = False
    """The last message in the dialogue is the user's (a prompt or results), so the model can be asked."""

    def append(self, message: Message) -> None:
        self.dialogue.append(message)
        self.asks_next = message.role == "user"

    def spent(self, usage: Usage) -> float | None:
        """Counts a call in, and says what it cost."""
        self.usage = self.usage.plus(usage)
        cost = usage.cost_usd(self.provider.card.price)
        if cost is not None:
            self.cost_usd = (self.cost_usd or 0.0) + cost
        return cost


class Recovery(Struct, frozen=True):
    """What settles a thread that was left open: for the record first, and after that for the model."""

    records: list[Record]
    messages: list[Message]


NOTHING_OPEN = Recovery([], [])
