"""What the `editor` room says."""

WORDS: dict[str, str] = {
    # To whoever wrote the editor.
    "editor.no_json": "that line is no JSON: {error}",
    "editor.no_object": "that line is no JSON object · send one message a line, and no batches",
    "editor.bad_id": "an id is a text or a whole number",
    "editor.bad_method": "a method is a text",
    "editor.no_method": "that is neither a request nor an answer · a message has a method, or an id and a result",
    "editor.line_too_long": "that line is longer than {limit} MiB, so it was left out · send less at once",
    "editor.not_introduced": "the editor has not introduced itself yet · call initialize first",
    "editor.unknown_login": "there is no login called {method} · authMethods lists those that there are",
    "editor.relative_folder": "{path} is not an absolute path · a session needs the folder's whole path",
    "editor.unknown_mode": "there is no mode {mode} · the modes are {known}",
    "editor.unknown_option": "there is no option {option} · the options are {known}",
    "editor.unknown_value": "{option} cannot be {value} · it can be {known}",
    # To the person.
    "editor.slow": (
        "the editor reads nothing although {limit} MiB wait for it, so it is given up · the conversation is kept; "
        "load it again in the editor"
    ),
    "editor.unknown_session": "there is no session {id} · start a new one, or list those that there are: daedal sessions",
    "editor.other_folder": "session {id} belongs to {folder} · open that folder, or start a new session here",
    "editor.busy": "session {id} is still at work · wait until it is done, or cancel it",
    "editor.engine_gone": (
        "the engine does not answer any more · what was recorded is kept; load session {id} again in the editor"
    ),
    "editor.no_reason": "the turn failed without a reason",
    "editor.unseen": "a prompt cannot hold {kind} content: models here read text and images · say it in words",
    "editor.server_unreachable": (
        "the editor's MCP server {name} can only be reached through the editor, so it is not used · give its command or its "
        "address"
    ),
    "editor.servers_later": (
        "session {id} is open already and keeps the MCP servers that it began with · close it and load it again for others"
    ),
    "editor.folders_unused": "further folders of the editor's are not used: {folders} · a session works in one folder",
    "editor.setup": "daedal setup",
    "editor.setup.about": "run daedal setup in a terminal: it asks for a provider and a key; then start a new session",
    # Choices.
    "editor.allow_once": "Allow once",
    "editor.allow_for_session": "Allow in this session: {rule}",
    "editor.allow_always": "Always allow: {rule}",
    "editor.reject": "Reject",
    "editor.reject_and_stop": "Reject and stop",
    "editor.approve_plan": "Approve the plan",
    "editor.keep_planning": "Keep planning",
    "editor.skip": "No answer",
    "editor.own_words": "{header}: in your own words",
    # Commands.
    "editor.command.compact": "make the conversation short again: a checked summary takes its place",
    "editor.command.compact.hint": "what the summary shall pay attention to",
    "editor.command.init": "write AGENTS.md: what somebody who works here for the first time must know",
    "editor.command.review": "review what is not committed yet, or what you name",
    "editor.command.hint": "what to review",
    # Options.
    "editor.option.mode": "Mode",
    "editor.option.mode.about": "what may happen without asking you",
    "editor.option.model": "Model",
    "editor.option.model.about": "who answers from the next model call on",
    "editor.option.effort": "Effort",
    "editor.option.effort.about": "how hard the model thinks",
    "editor.effort.auto": "Auto",
    "editor.effort.auto.about": "as the settings say, or as the model likes",
    # Modes.
    "editor.mode.default": "Default",
    "editor.mode.default.about": "asks before anything that no rule allows",
    "editor.mode.acceptEdits": "Accept edits",
    "editor.mode.acceptEdits.about": "changes files in the project without asking",
    "editor.mode.plan": "Plan",
    "editor.mode.plan.about": "only looks around, until you approve its plan",
    "editor.mode.dontAsk": "Don't ask",
    "editor.mode.dontAsk.about": "refuses what it would have to ask for",
    "editor.mode.bypassPermissions": "Bypass permissions",
    "editor.mode.bypassPermissions.about": "allows everything that no rule forbids",
}
