"""What does a thread that is being driven hold in memory? Its dialogue, tools, gate and place; no history to reread."""

import asyncio
from collections.abc import Iterable
from typing import TYPE_CHECKING

from msgspec import Struct, field

from daedal.engine.hooking import ThreadHooks
from daedal.engine.purse import Purse
from daedal.engine.terms import Terms, Usual
from daedal.protocol.content import Message
from daedal.protocol.judging import Gate
from daedal.protocol.model import ModelCard, ToolSpec, Usage
from daedal.protocol.records import Record
from daedal.protocol.seams import Dialogue, Lease, Provider, Toolbox
from daedal.protocol.threads import ThreadLimits

if TYPE_CHECKING:
    from daedal.engine.fold_state import FoldState
    from daedal.engine.kept_goal import KeptGoal
    from daedal.engine.planners import Plans


OPEN = "dangerFullAccess"


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
    is_ephemeral: bool = False
    """No person asked for it, so that no list shows it."""
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
    """Of the newest call of its own; about what the next one reads, right after a fold."""
    asked_size: int = 0
    """How large its request was."""
    fold: "FoldState | None" = None
    """What the last fold left. None where the record must be read for the next one."""
    fold_rest: int = 0
    """So many model calls pass before a fold is tried again."""
    fold_failures: int = 0
    """In a row."""
    cost_usd: float | None = None
    """Since the thread was loaded; None until something with a price was used."""
    spent_before_usd: float = 0.0
    """What its goal had cost before it was loaded."""
    goal: "KeptGoal | None" = None
    planner: "Plans | None" = None
    """Who plans what is asked of it."""
    call_ids: set[str] = set()
    instructed: set[str] = set()
    """Instruction files that the model has seen, and folders that were looked through for them."""
    loaded: set[str] = set()
    """Deferred tools that the model has looked up."""
    settled: bool = True
    """False after a resume, until what a crash may have left open is dealt with."""
    asks_next: bool = False
    """The last message in the dialogue is the user's (a prompt or results), so the model can be asked."""

    usual: Usual = Usual()
    adjusting: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held while a turn opens and while settings change, so that neither sees half of the other."""
    noted: list[Record] = []
    """What happened to its settings in the middle of something; it goes into the next commit."""
    successor: Provider | None = None
    """The model that will be asked next, where another was chosen while this one is at work."""
    retired: list[Toolbox] = []
    """Tools that other walls took the place of; closed as soon as nothing of them can be running."""
    notices: list[str] = []
    """What the person should hear once it is loaded."""

    @property
    def sandbox(self) -> str:
        """What surrounds it, in the words of the wire."""
        terms = self.terms
        if terms.is_read_only:
            return "readOnly"
        return "workspaceWrite" if terms.is_confined and (self.usual.is_walled or terms.wants_walls) else OPEN

    def take_noted(self) -> list[Record]:
        noted, self.noted = self.noted, []
        return noted

    def append(self, message: Message) -> None:
        self.dialogue.append(message)
        self.asks_next = message.role == "user"

    def is_full(self, ratio: float) -> bool:
        """Whether it is time to fold: a few numbers are compared, once for each model call."""
        window = self.provider.card.context_window
        if not window:
            return False
        if self.fold_rest > 0:
            self.fold_rest -= 1
            return False
        reported, size = self.last.prompt_tokens, self.dialogue.size
        if not reported:
            return size // 4 >= ratio * window
        return reported >= ratio * window or reported + (size - self.asked_size) // 4 > window

    def spent(self, usage: Usage, card: ModelCard, *, is_own: bool = True) -> float | None:
        """Counts a call in, and says what it cost. What a sub-agent spends, its parent has spent.

        Calls beside the dialogue (a search, a summary) say nothing about how large it is: they are not its own.
        """
        cost = usage.cost_usd(card.price)
        if is_own:
            self.last = usage
            self.asked_size = self.dialogue.size
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
        head = self.parent or self
        return head.spent_before_usd + (head.cost_usd or 0.0) if head.spent_before_usd else head.cost_usd


class Recovery(Struct, frozen=True):
    """What settles a thread that was left open: for the record first, and after that for the model."""

    records: list[Record]
    messages: list[Message]


NOTHING_OPEN = Recovery([], [])


def offered(toolbox: Toolbox, loaded: Iterable[str]) -> list[ToolSpec]:
    """The tools that a model is told about: those that are not deferred, and those it has looked up."""
    known = frozenset(loaded)
    return [spec for spec in toolbox.specs() if not spec.is_deferred or spec.name in known]
