"""Where do rooms meet? The one page that says what a turn needs from the world.

Small Protocols only. `engine` knows these and nothing behind them; `app` plugs the rooms in.
"""

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from msgspec import Struct

from daedal.protocol.content import Message
from daedal.protocol.items import Change, PlanStep
from daedal.protocol.model import Brief, Chunk, ModelCard, SideCall, ToolSpec
from daedal.protocol.prompts import (
    CommandListParams,
    CommandListResponse,
    ReferenceCompleteParams,
    ReferenceCompleteResponse,
)
from daedal.protocol.records import Record, Spent, StoredConversation, StoredEntry, StoredSession, StoredTurn

if TYPE_CHECKING:
    from daedal.protocol.rewinding import FamilyRecord
    from daedal.protocol.threads import Holder


class Dialogue(Protocol):
    """One growing conversation with one model. What was appended is serialised once and never again."""

    @property
    def size(self) -> int:
        """About how many bytes the next request has; 0 where only a guest knows. Costs nothing to ask."""
        ...

    def append(self, message: Message) -> None: ...

    def offer(self, tools: Sequence[ToolSpec]) -> None:
        """From the next reply on the model may call these, and no others."""
        ...

    def stream(self, *, output_tokens_max: int | None = None) -> AsyncIterator[Chunk]:
        """Asks for the next reply. Retries by itself; raises ProviderError when it gives up. Cancellable."""
        ...


@runtime_checkable
class Sendable(Dialogue, Protocol):
    """A dialogue whose next request can be looked at before it is sent. One that a guest keeps for itself cannot."""

    def request(self) -> bytes:
        """The next request as it would be sent."""
        ...


class Provider(Protocol):
    """A model endpoint. Made only after its settings and credentials were checked, without network I/O."""

    @property
    def card(self) -> ModelCard: ...

    def open(self, brief: Brief) -> Dialogue: ...

    async def close(self) -> None: ...


class PreImage(Struct, frozen=True, kw_only=True):
    """A file as it was before a tool changed it."""

    path: str
    content: bytes | None
    """None where the file did not exist."""
    mode: int | None = None


class ImageContent(Struct, frozen=True):
    media_type: str
    data: bytes


class Outcome(Struct, frozen=True, kw_only=True):
    """What a tool call came to."""

    content: str
    is_error: bool = False
    images: list[ImageContent] = []
    """What the model shall see beside the text."""
    changes: list[Change] = []
    """For faces: what a file tool changed."""
    exit_code: int | None = None
    """For faces and receipts: how a command ended."""
    cwd: str | None = None
    """The thread's working directory from now on, where the call moved it."""
    blocked: str | None = None
    """What the walls around the call kept it from, where that is why it failed: a person may let it out."""
    touched: list[str] = []
    """Absolute paths of files and folders whose instructions should be read (nested AGENTS.md)."""
    phase: str | None = None
    """The conversation goes into this phase with the commit of the result: `planning`, or `implement`."""
    todos: list[PlanStep] | None = None
    """The model's list of what is to be done, as it stands now."""
    message: str | None = None
    """What the model wants the person to read right now."""
    side_calls: list[SideCall] = []
    """What the call asked of a model itself, so that it is paid for from the same budget."""
    loaded: list[str] = []
    """Tools that the model may call from now on, though it was not told about them at first."""


class Bench(Protocol):
    """What a running tool call may use of its thread: where it works, and where it puts pre-images."""

    @property
    def thread_id(self) -> str: ...

    @property
    def tool_use_id(self) -> str: ...

    @property
    def workspace(self) -> str:
        """The thread's project folder; never changes."""
        ...

    @property
    def cwd(self) -> str:
        """Where commands run and relative paths start; `cd` moves it."""
        ...

    @property
    def phase(self) -> str:
        """The conversation's phase as the call begins."""
        ...

    @property
    def is_let_out(self) -> bool:
        """A person allowed this one call to leave the walls around the thread."""
        ...

    @property
    def is_by_hand(self) -> bool:
        """A person calls the tool: no model is there that must have seen first what it changes."""
        ...

    def watch(self) -> Callable[[int, bytes], object] | None:
        """Takes what a command prints while it runs: 1 or 2 for the stream, and a piece. None where nobody looks."""
        ...

    async def keep(self, image: PreImage) -> None:
        """Stores a pre-image durably. A tool calls this before it changes a file, never after."""
        ...


class Tool(Protocol):
    """One thing a model can do. Bad input and failures are ordinary outcomes; only bugs raise."""

    @property
    def spec(self) -> ToolSpec: ...

    def paths(self, arguments: Mapping[str, Any], cwd: str) -> list[str]:
        """The absolute, symlink-free paths that the call names. Must not fail, whatever the arguments."""
        ...

    def is_confined(self, arguments: Mapping[str, Any], cwd: str) -> bool:
        """Whether walls that really stand hold the call's effects inside what the thread may touch. Must not fail."""
        ...

    async def run(self, arguments: Mapping[str, Any], bench: Bench) -> Outcome:
        """Does it. When cancelled it leaves no process behind and then lets the cancellation pass."""
        ...


@runtime_checkable
class Previewed(Tool, Protocol):
    """A tool that can say what a call would change, before anybody is asked about it."""

    async def preview(self, arguments: Mapping[str, Any], bench: Bench) -> list[Change]:
        """Changes nothing, and settles nothing. Empty where it would be refused, or there is too much to show."""
        ...


class LeftTask(Struct, frozen=True, kw_only=True):
    """Something that still ran in the background when its thread was let go."""

    id: str
    kind: str
    """`local_bash` or `local_agent`."""
    description: str
    """The command, or what the sub-agent shall do."""
    is_kept: bool
    """It goes on; otherwise it was ended."""


class Toolbox(Protocol):
    """The tools a thread has. Tools may keep state per thread (what was read); `close` ends what still runs."""

    def specs(self) -> list[ToolSpec]: ...

    def get(self, name: str) -> Tool | None: ...

    async def close(self) -> list[LeftTask]:
        """What was running until now, for the person to hear of."""
        ...


class Transcript(Protocol):
    """The record of one thread at a time, written by whoever holds its lease."""

    async def commit(self, session_id: str, records: Sequence[Record]) -> None:
        """All records or none, durable when it returns. Raises LedgerError."""
        ...

    async def entries(self, session_id: str, *, after: int = -1, with_rewound: bool = False) -> list[StoredEntry]:
        """Those with a higher sequence than `after`, in their order; without those that a rewind took out."""
        ...

    async def turns(self, session_id: str, *, with_rewound: bool = False) -> list[StoredTurn]: ...

    async def item_page(
        self, session_id: str, *, before: str | None, after: str | None, limit: int
    ) -> tuple[list[StoredEntry], int, int] | None:
        """Entries of so many items next to the named one, how many lie before them, and how many there are.

        None where that item is not of this session.
        """
        ...

    async def family(self, session_id: str) -> "FamilyRecord":
        """What the session and those that worked for it did to the world."""
        ...

    async def find_session(self, prefix: str) -> StoredSession:
        """By its id or the unique beginning of it. Raises UsageError when none or several match."""
        ...

    async def sessions(
        self, *, limit: int, project_dir: str | None = None, archived: bool | None = None, offset: int = 0
    ) -> list[StoredSession]:
        """Newest first. `archived` chooses those that were put aside, or the others; None takes both."""
        ...

    def conversation(self, prefix: str) -> StoredConversation:
        """By its id or the unique beginning of it. Raises UsageError when none or several match."""
        ...

    def kept(self, conversation_id: str, key: str) -> str | None:
        """What a conversation keeps under a name."""
        ...

    def spent_since(self, session_id: str, call_id: int) -> Spent:
        """What the session and its sub-agents have used after this model call; 0 is before the first."""
        ...

    def holder(self, session_id: str) -> "Holder | None":
        """Which other process drives the session; None where none does."""
        ...

    def version(self) -> int:
        """Another number once anybody else has committed something. Costs next to nothing."""
        ...

    def lease(self, session_id: str) -> "Lease":
        """Takes the right to drive the session. Raises LedgerBusy when another process has it."""
        ...


class Lease(Protocol):
    """The right to drive a session. The kernel gives it back when the process dies."""

    def release(self) -> None: ...


class PreImages(Protocol):
    """Files as they were, beside the ledger. Named by session and call, so a crash cannot lose the name."""

    async def put(self, session_id: str, tool_use_id: str, image: PreImage) -> str:
        """Returns the blob's name."""
        ...

    async def find(self, session_id: str, tool_use_id: str) -> list[tuple[str, PreImage]]: ...

    async def read(self, name: str) -> PreImage | None:
        """By the blob's name; None where it is not there any more."""
        ...


class Restorer(Protocol):
    """Puts files of one workspace back as they were, inside the walls and never through a link."""

    def look(self, path: str) -> PreImage:
        """The file as it is now. Raises Unrestorable where it may not be touched, or is of another kind."""
        ...

    def put(self, image: PreImage, *, under: str | None) -> None:
        """Makes the file what it was; where it was none, folders below `under` that are empty then go too.

        Raises Unrestorable.
        """
        ...


class InstructionFile(Struct, frozen=True):
    path: str
    text: str


class Prepared(Struct, frozen=True, kw_only=True):
    """A prompt as it goes to the model, after commands and references in it were resolved."""

    text: str
    attachments: list[str] = []
    """What it refers to, each as a tagged block of its own; they go before the text."""
    notices: list[str] = []
    """For the person: what could not be resolved, or not wholly."""


class Prompts(Protocol):
    """Custom commands and references, the same for every face."""

    async def prepare(self, text: str, *, workspace: str, cwd: str, deny: Sequence[str] = ()) -> Prepared:
        """For what a person typed. `deny` are the thread's own deny rules, beside those of the settings.

        Raises UsageError where it begins like a command and there is no such command.
        """
        ...

    def commands(self, params: CommandListParams) -> CommandListResponse: ...

    def complete(self, params: ReferenceCompleteParams) -> ReferenceCompleteResponse:
        """One level of a folder, never a walk."""
        ...


class Worktrees(Protocol):
    """Copies of a repository's files to work in, apart from everybody else."""

    async def create(self, workspace: str, name: str) -> str:
        """The new folder. Raises UsageError where the workspace is in no git repository."""
        ...

    async def remove(self, workspace: str, path: str) -> bool:
        """False where something was changed in it: then it stays."""
        ...


class Instructions(Protocol):
    """What AGENTS.md and CLAUDE.md say, for the project and for a folder once it is touched."""

    def initial(self, workspace: str) -> list[InstructionFile]: ...

    def nested(self, workspace: str, touched: str) -> list[InstructionFile]:
        """Files between the workspace (exclusive) and the touched path's folder (inclusive), outermost first."""
        ...


class Watch(Protocol):
    """Looks after files that hooks want to hear about."""

    async def start(self, paths: Sequence[str], cwd: str) -> None:
        """Also watches these."""
        ...

    async def close(self) -> None: ...


class Finish(Struct, frozen=True, kw_only=True):
    """How a process ended and what it printed, each stream capped while it was read."""

    exit_code: int
    """128 + N for signal N, as shells say it."""
    stdout: bytes
    stderr: bytes
    stdout_truncated: bool = False
    stderr_truncated: bool = False
    timed_out: bool = False


class Job(Struct, frozen=True, kw_only=True):
    """A process to start."""

    argv: list[str]
    cwd: str
    env: dict[str, str]
    """The whole environment, made by `environment`."""
    timeout_s: float | None = None
    output_bytes_max: int = 1_048_576
    """Per stream."""
    pass_fds: tuple[int, ...] = ()
    stdin: bytes | None = None
    """What it can read from its standard input; None is nothing at all."""


class Spawner(Protocol):
    """Starts every process there is. Ended, timed out or cancelled: no child of it stays behind."""

    def environment(self, extra: Mapping[str, str] | None = None) -> dict[str, str]:
        """The process environment without provider credentials."""
        ...

    async def run(self, job: Job) -> Finish: ...
