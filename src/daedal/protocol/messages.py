"""Which struct belongs to which method? What each one answers, and what the server asks its clients."""

from typing import Any

from daedal.protocol.approvals import APPROVAL_METHOD_OTHER, APPROVAL_METHODS, ApprovalAnswer, ApprovalRequest
from daedal.protocol.inquiries import INQUIRY_METHOD, InputAnswer, InputRequest
from daedal.protocol.lookups import (
    ConfigReadResponse,
    HookRunsResponse,
    ModelListResponse,
    ReceiptsResponse,
    VerdictsResponse,
)
from daedal.protocol.prompts import CommandListResponse, ReferenceCompleteResponse
from daedal.protocol.shelving import LoadedListResponse, TurnListResponse, UnsubscribeResponse
from daedal.protocol.steering import ReviewStartResponse, TurnSteerResponse
from daedal.protocol.threads import ThreadListResponse, ThreadReadResponse, ThreadStartResponse, ToolCallResponse
from daedal.protocol.turns import TurnStartResponse
from daedal.protocol.wire import InitializeResponse, Nothing

RESULTS: dict[str, type[Any]] = {
    "initialize": InitializeResponse,
    "thread/start": ThreadStartResponse,
    "thread/resume": ThreadStartResponse,
    "thread/fork": ThreadStartResponse,
    "thread/read": ThreadReadResponse,
    "thread/unarchive": ThreadReadResponse,
    "thread/list": ThreadListResponse,
    "thread/turns/list": TurnListResponse,
    "thread/loaded/list": LoadedListResponse,
    "thread/unsubscribe": UnsubscribeResponse,
    "thread/archive": Nothing,
    "thread/name/set": Nothing,
    "thread/compact/start": Nothing,
    "thread/toolCall": ToolCallResponse,
    "thread/verdicts/list": VerdictsResponse,
    "thread/hookRuns/list": HookRunsResponse,
    "receipt/list": ReceiptsResponse,
    "command/list": CommandListResponse,
    "reference/complete": ReferenceCompleteResponse,
    "turn/start": TurnStartResponse,
    "turn/continue": TurnStartResponse,
    "turn/steer": TurnSteerResponse,
    "turn/interrupt": Nothing,
    "review/start": ReviewStartResponse,
    "model/list": ModelListResponse,
    "config/read": ConfigReadResponse,
}
"""What each method answers."""

ASKED: dict[str, tuple[type[Any], type[Any]]] = {
    **dict.fromkeys(sorted({*APPROVAL_METHODS.values()}), (ApprovalRequest, ApprovalAnswer)),
    APPROVAL_METHOD_OTHER: (ApprovalRequest, ApprovalAnswer),
    INQUIRY_METHOD: (InputRequest, InputAnswer),
}
"""What the server asks its clients, and what they answer."""
