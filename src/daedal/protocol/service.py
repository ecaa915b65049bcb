"""Where do clients and an engine meet? What a server serves, whom it tells, and over what."""

from typing import Protocol

from daedal.protocol.approvals import ApprovalAnswer, ApprovalRequest
from daedal.protocol.events import Event
from daedal.protocol.inquiries import InputAnswer, InputRequest
from daedal.protocol.prompts import (
    CommandListParams,
    CommandListResponse,
    ReferenceCompleteParams,
    ReferenceCompleteResponse,
)
from daedal.protocol.thread_settings import ThreadSettingsUpdateParams, ThreadSettingsUpdateResponse
from daedal.protocol.threads import (
    ThreadListParams,
    ThreadListResponse,
    ThreadReadParams,
    ThreadReadResponse,
    ThreadResumeParams,
    ThreadStartParams,
    ThreadStartResponse,
    ToolCallParams,
    ToolCallResponse,
    ToolListParams,
    ToolListResponse,
)
from daedal.protocol.turns import (
    TurnContinueParams,
    TurnInterruptParams,
    TurnStartParams,
    TurnStartResponse,
)
from daedal.protocol.wire import Envelope, Malformed


class Faces(Protocol):
    """Whoever watches an engine: the server, which hands events to its clients and questions to one of them."""

    async def emit(self, thread_id: str, event: Event) -> None: ...

    def wants(self, thread_id: str, event: type[Event]) -> bool:
        """Whether anybody would hear of such an event. Asked before something is worked out only to be told."""
        ...

    async def ask(self, request: ApprovalRequest) -> ApprovalAnswer | None:
        """None when no client is there to answer. The caller sets the deadline."""
        ...

    async def inquire(self, request: InputRequest) -> InputAnswer | None:
        """The same for a model's own questions."""
        ...


class Transport(Protocol):
    """One end of a connection between a client and a server."""

    async def send(self, envelope: Envelope) -> None:
        """Waits while the other end is slow; raises ConnectionError when it is gone."""
        ...

    async def receive(self) -> Envelope | Malformed | None:
        """The next envelope, or None when the other end has closed."""
        ...

    def close(self) -> None: ...


class Engine(Protocol):
    """Threads and turns, ours or a guest's. The server serves one of these."""

    async def start_thread(self, params: ThreadStartParams) -> ThreadStartResponse: ...

    async def resume_thread(self, params: ThreadResumeParams) -> ThreadStartResponse: ...

    async def read_thread(self, params: ThreadReadParams) -> ThreadReadResponse: ...

    async def list_threads(self, params: ThreadListParams) -> ThreadListResponse: ...

    async def update_settings(self, params: ThreadSettingsUpdateParams) -> ThreadSettingsUpdateResponse:
        """Also while a turn runs: then it holds for the next call that is judged, and the next one of the model."""
        ...

    async def start_turn(self, params: TurnStartParams) -> TurnStartResponse: ...

    async def continue_turn(self, params: TurnContinueParams) -> TurnStartResponse: ...

    async def interrupt_turn(self, params: TurnInterruptParams) -> None:
        """Returns when the turn is over."""
        ...

    async def call_tool(self, params: ToolCallParams) -> ToolCallResponse: ...

    async def list_tools(self, params: ToolListParams) -> ToolListResponse: ...

    async def list_commands(self, params: CommandListParams) -> CommandListResponse: ...

    async def complete_reference(self, params: ReferenceCompleteParams) -> ReferenceCompleteResponse: ...

    async def close(self) -> None: ...
