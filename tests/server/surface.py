"""Which part of the Codex app-server's protocol do we serve? Methods, and the names of their shapes in its schema."""

ANSWERED = {
    "thread/start": "ThreadStartResponse",
    "thread/resume": "ThreadResumeResponse",
    "thread/fork": "ThreadForkResponse",
    "thread/read": "ThreadReadResponse",
    "thread/list": "ThreadListResponse",
    "thread/archive": "ThreadArchiveResponse",
    "thread/unarchive": "ThreadUnarchiveResponse",
    "thread/name/set": "ThreadSetNameResponse",
    "thread/unsubscribe": "ThreadUnsubscribeResponse",
    "thread/turns/list": "ThreadTurnsListResponse",
    "thread/loaded/list": "ThreadLoadedListResponse",
    "thread/compact/start": "ThreadCompactStartResponse",
    "thread/goal/set": "ThreadGoalSetResponse",
    "thread/goal/get": "ThreadGoalGetResponse",
    "thread/goal/clear": "ThreadGoalClearResponse",
    "account/read": "GetAccountResponse",
    "account/login/start": "LoginAccountResponse",
    "account/login/cancel": "CancelLoginAccountResponse",
    "account/logout": "LogoutAccountResponse",
    "thread/shellCommand": "ThreadShellCommandResponse",
    "thread/revert": "ThreadRevertResponse",
    "turn/start": "TurnStartResponse",
    "turn/steer": "TurnSteerResponse",
    "turn/interrupt": "TurnInterruptResponse",
    "review/start": "ReviewStartResponse",
    "model/list": "ModelListResponse",
    "config/read": "ConfigReadResponse",
    "configRequirements/read": "ConfigRequirementsReadResponse",
    "skills/list": "SkillsListResponse",
    "hooks/list": "HooksListResponse",
    "mcpServerStatus/list": "ListMcpServerStatusResponse",
    "plugin/list": "PluginListResponse",
    "initialize": "InitializeResponse",
}
"""What a client may ask, and the shape of the answer."""

REQUESTED = tuple(ANSWERED)

TOLD = (
    "error",
    "thread/started",
    "thread/status/changed",
    "thread/archived",
    "thread/unarchived",
    "thread/name/updated",
    "thread/settings/updated",
    "thread/tokenUsage/updated",
    "thread/goal/updated",
    "thread/goal/cleared",
    "account/login/completed",
    "account/updated",
    "turn/started",
    "turn/completed",
    "turn/diff/updated",
    "turn/plan/updated",
    "item/started",
    "item/completed",
    "item/agentMessage/delta",
    "item/commandExecution/outputDelta",
    "item/reasoning/textDelta",
    "serverRequest/resolved",
    "warning",
)

ASKED = {
    "item/commandExecution/requestApproval": "CommandExecutionRequestApprovalResponse",
    "item/fileChange/requestApproval": "FileChangeRequestApprovalResponse",
    "item/tool/requestUserInput": "ToolRequestUserInputResponse",
    "mcpServer/elicitation/request": "McpServerElicitationRequestResponse",
}
"""What the server asks, and the shape of the client's answer."""
