"""What does a thread that is being driven hold in memory? Its dialogue, tools, gate and place; no history to reread."""

from collections.abc import Iterable

from msgspec import Struct, field

from daedal.engine.hooking import ThreadHooks
from daedal.engine.purse import Purse
from daedal.engine.terms import Terms
from daedal.protocol.content import Message
from daedal.protocol.judging import Gate
from daedal.protocol.model import ModelCard, ToolSpec, Usage
from daedal.protocol.records import Record
from daedal.protocol.seams import Dialogue, Lease, Provider, Toolbox
from daedal.protocol.threads import ThreadLimits


class LoadedThread(Struct, kw_only=True):
    id: str
    conversation_id: str
    workspace: str
    cwd: str
    """Moves with `cd`; the workspace does not."""
    provider: Provider
    dialogue: Dialogue
    system: str = ""
    """What its model is told first."""
    toolbox: Toolbox
    terms: Terms
    hooks: ThreadHooks
    limits: ThreadLimits
    created_at: int
    gate: Gate | None = None
    """Made when the first call comes."""
    lease: Lease | None = None
    """The right to drive it, from when it is loaded until it is let go."""
    parent: "LoadedThread | None" = None
    """The thread that a sub-agent works for, and whose budget it uses."""
    purse: Purse = field(default_factory=Purse)
    """Shared with its sub-agents."""
    children: list["LoadedThread"] = []
    """The sub-agents that work for it right now."""
    agent_type: str | None = None
    """What kind of sub-agent works here."""
    preview: str = ""
    context: list[str] = []
    """What hooks want the model to know with the next prompt."""
    opening_words: str = ""
    """What a hook wants said before the first prompt."""
    unsaved: list[Record] = []
    """What opens the session on the record; it goes into the first turn's first commit."""
    usage: Usage = Usage()
    last: Usage = Usage()
    """Of the newest call of its own."""
    cost_usd: float | None = None
    """Since the thread was loaded; None until something with a price was used."""
    call_ids: set[str] = set()
    instructed: set[str] = set()
    """Instruction files that the model has seen, and folders that were looked through for them."""
    loaded: set[str] = set()
    """Deferred tools that the model has looked up."""
    settled: bool = True
    """False after a resume, until what a crash may have left open is dealt with."""
    asks_next: bool = False
    """The last message in the dialogue is the user's (a prompt or results), so the model can be asked."""

    def append(self, message: Message) -> None:
        self.dialogue.append(message)
        self.asks_next = message.role == "user"

    def spent(self, usage: Usage, card: ModelCard) -> float | None:
        """Counts a call in, and says what it cost. What a sub-agent spends, its parent has spent."""
        cost = usage.cost_usd(card.price)
        self.last = usage
        for payer in (self, self.parent):
            if payer is not None:
                payer.usage = payer.usage.plus(usage)
            if payer is not None and cost is not None:
                payer.cost_usd = (payer.cost_usd or 0.0) + cost
        return cost

    def family(self) -> list["LoadedThread"]:
        """Everyone who works on the same thing: the thread a person talks to, and its sub-agents."""
        head = self.parent or self
        return [head, *head.children]

    @property
    def charged_usd(self) -> float | None:
        """What counts against the budget: everything that this thread and those beside it have cost together."""
        return self.cost_usd if self.parent is None else self.parent.cost_usd


class Recovery(Struct, frozen=True):
    """What settles a thread that was left open: for the record first, and after that for the model."""

    records: list[Record]
    messages: list[Message]


NOTHING_OPEN = Recovery([], [])


def offered(toolbox: Toolbox, loaded: Iterable[str]) -> list[ToolSpec]:
    """The tools that a model is told about: those that are not deferred, and those it has looked up."""
    known = frozenset(loaded)
    return [spec for spec in toolbox.specs() if not spec.is_deferred or spec.name in known]
