"""Which struct belongs to which method? What each one answers, and what the server asks its clients."""

from typing import Any

from daedal.protocol.accounts import AccountLoginCancelResponse, AccountLoginResponse, AccountReadResponse
from daedal.protocol.approvals import APPROVAL_METHOD_OTHER, APPROVAL_METHODS, ApprovalAnswer, ApprovalRequest
from daedal.protocol.by_hand import ShellCommandResponse
from daedal.protocol.folding import ContextReadResponse
from daedal.protocol.goal_calls import (
    GoalCheckResponse,
    GoalClearResponse,
    GoalGetResponse,
    GoalSetResponse,
)
from daedal.protocol.housekeeping import (
    DoctorResponse,
    KeptMemory,
    MemoryListResponse,
    RuleWhyResponse,
    RuleWriteResponse,
    ServerAcceptResponse,
    ServerChangesResponse,
    ServerLoginResponse,
    ServerReconnectResponse,
    SettingWriteResponse,
    TrustState,
    UsageReadResponse,
)
from daedal.protocol.inquiries import INQUIRY_METHOD, InputAnswer, InputRequest
from daedal.protocol.inventory import (
    AgentListResponse,
    HookListResponse,
    MarketplacesResponse,
    ModeListResponse,
    RequirementsResponse,
    RuleListResponse,
    ServerStatusResponse,
    SkillListResponse,
)
from daedal.protocol.item_pages import ItemListResponse
from daedal.protocol.lookups import (
    ConfigReadResponse,
    HookRunsResponse,
    ModelListResponse,
    ReceiptsResponse,
    VerdictsResponse,
)
from daedal.protocol.papers import PlanReadResponse, ReportReadResponse, ThreadExportResponse
from daedal.protocol.prompts import CommandListResponse, ReferenceCompleteResponse
from daedal.protocol.repository import RepositoryDiffResponse, RepositoryReadResponse
from daedal.protocol.rewinding import RewindListResponse, RewindResponse
from daedal.protocol.shelving import LoadedListResponse, TurnListResponse, UnsubscribeResponse
from daedal.protocol.steering import ReviewStartResponse, TurnSteerResponse
from daedal.protocol.thread_settings import ThreadSettingsUpdateResponse
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
    "thread/items/list": ItemListResponse,
    "thread/loaded/list": LoadedListResponse,
    "thread/unsubscribe": UnsubscribeResponse,
    "thread/archive": Nothing,
    "thread/name/set": Nothing,
    "thread/settings/update": ThreadSettingsUpdateResponse,
    "thread/compact/start": Nothing,
    "thread/context/read": ContextReadResponse,
    "thread/toolCall": ToolCallResponse,
    "thread/goal/set": GoalSetResponse,
    "thread/goal/get": GoalGetResponse,
    "thread/goal/clear": GoalClearResponse,
    "thread/goal/check": GoalCheckResponse,
    "thread/goal/report": GoalSetResponse,
    "thread/shellCommand": ShellCommandResponse,
    "thread/rewind/list": RewindListResponse,
    "thread/rewind": RewindResponse,
    "thread/revert": ThreadReadResponse,
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
    "account/read": AccountReadResponse,
    "account/login/start": AccountLoginResponse,
    "account/login/cancel": AccountLoginCancelResponse,
    "account/logout": Nothing,
    "model/list": ModelListResponse,
    "config/read": ConfigReadResponse,
    "skills/list": SkillListResponse,
    "hooks/list": HookListResponse,
    "mcpServerStatus/list": ServerStatusResponse,
    "agent/list": AgentListResponse,
    "permission/list": RuleListResponse,
    "collaborationMode/list": ModeListResponse,
    "setting/write": SettingWriteResponse,
    "permission/write": RuleWriteResponse,
    "permission/why": RuleWhyResponse,
    "trust/read": TrustState,
    "trust/write": TrustState,
    "memory/list": MemoryListResponse,
    "memory/read": KeptMemory,
    "memory/write": KeptMemory,
    "memory/forget": KeptMemory,
    "thread/usage/read": UsageReadResponse,
    "doctor/run": DoctorResponse,
    "mcpServer/changes": ServerChangesResponse,
    "mcpServer/accept": ServerAcceptResponse,
    "mcpServer/reconnect": ServerReconnectResponse,
    "mcpServer/oauth/login": ServerLoginResponse,
    "thread/export": ThreadExportResponse,
    "thread/plan/read": PlanReadResponse,
    "report/read": ReportReadResponse,
    "repository/diff": RepositoryDiffResponse,
    "repository/read": RepositoryReadResponse,
    "configRequirements/read": RequirementsResponse,
    "plugin/list": MarketplacesResponse,
}
"""What each method answers."""

ASKED: dict[str, tuple[type[Any], type[Any]]] = {
    **dict.fromkeys(sorted({*APPROVAL_METHODS.values()}), (ApprovalRequest, ApprovalAnswer)),
    APPROVAL_METHOD_OTHER: (ApprovalRequest, ApprovalAnswer),
    INQUIRY_METHOD: (InputRequest, InputAnswer),
}
"""What the server asks its clients, and what they answer."""
