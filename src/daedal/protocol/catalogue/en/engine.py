"""What the engine says to people."""

WORDS = {
    "engine.subagent_session": "{id} is the session of a sub-agent, which ended with its task · resume {parent} instead",
    "engine.nested": "a sub-agent cannot set another one to work",
    "engine.server_asks": "The MCP server {server} asks: {message}",
    "engine.server_asks_url": "The MCP server {server} asks: {message} · open {url} if you want to, then say yes",
    "engine.budget": "the budget of ${budget} is used up (${cost} so far) · raise --max-budget-usd, or resume later",
    "engine.budget_without_price": (
        "no price is known for {model}, so a budget could not be kept · set `price` for it in [[providers]], "
        "or leave --max-budget-usd out"
    ),
    "engine.bug": (
        "Daedal itself failed ({kind}: {message}) · what was recorded is kept; resume to go on, and please report it"
    ),
    "engine.cut_off": (
        "the answer was cut off at the model's output limit · what arrived is kept; resume to let it go on"
    ),
    "engine.prompt_refused": "a hook refused the prompt: {why} · nothing was asked; see daedal hooks log",
    "engine.no_reason": "it gave no reason",
    "engine.stopped_by_hook": "a hook stopped the turn: {why} · what was done is on the record; see daedal hooks log",
    "engine.hook_broken": "a hook could not do its work: {what}",
    "engine.empty_prompt": "the prompt is empty · give it as an argument or on standard input",
    "engine.empty_reply": "the model answered nothing, twice · try again, or another --model",
    "engine.no_such_folder": "{path} is not a folder · check -C/--cd",
    "engine.no_such_turn": "no turn {id} is running",
    "engine.nothing_to_continue": "session {id} has no unfinished turn · give a prompt to go on with it",
    "engine.refused": "the model refused to answer",
    "engine.step_limit": "stopped after {steps} model calls · raise --max-turns, or resume to go on",
    "engine.system_prompt_file": "the system prompt file {path} cannot be read: {error}",
    "engine.thread_busy": "session {id} is already working on a turn · wait for it, or interrupt it",
    "engine.without_model": "session {id} was opened for tool calls by hand and has no model · start or resume one with it",
    "engine.settings.subagent": "{id} is a sub-agent's thread and works on the terms of {parent} · change those instead",
    "engine.settings.effort": "{value} is no effort · one of {known}",
    "engine.settings.mode": "{value} is no permission mode · one of {known}",
    "engine.settings.sandbox": "{value} is no sandbox policy that can be kept here · one of {known}",
    "engine.settings.forbidden": "{what} is switched off here by disableBypassPermissionsMode · ask whoever manages the settings",
    "engine.settings.walled": (
        "{what} is switched off here: the settings keep the sandbox up (disableBypassPermissionsMode, or sandbox.enabled by "
        "whoever manages them) · work inside it, or ask them"
    ),
    "engine.settings.outside": (
        "{path} is not inside {workspace}, where this thread works · start a thread there with thread/start and its cwd"
    ),
    "engine.settings.guest": (
        "{engine} keeps the {what} that it began with, so it cannot become {value} · start or resume a thread with it"
    ),
    "engine.settings.cannot_think": (
        "{model} cannot be told how hard to think, so effort {effort} changes nothing for it · choose a model that thinks, "
        "or set `thinks = true` for it in [[providers]]"
    ),
    "engine.settings.ended": (
        "the background task {id} began within other walls and was ended: {what} · start it again within those that stand now"
    ),
    "engine.settings.kept": (
        "the background task {id} goes on within the walls it began with: {what} · daedal tasks shows it, and ends it"
    ),
    "engine.settings.walls_again": (
        "the sandbox, which was taken down in this session, stands again · take it down with --no-sandbox if you still want that"
    ),
    "engine.bad_cursor": "{cursor} is no cursor · pass on what the page before gave, or leave it out",
    "engine.nothing_to_compact": "session {id} has said nothing yet · there is nothing to sum up",
    "engine.no_summary": "the model wrote no summary, twice",
    "engine.slow_summary": "the model's summary did not come within {seconds} s",
    "engine.fold_not_ours": "this engine keeps its context itself · fold it there",
    "engine.fold_blocked": "a hook does not want the session folded: {why}",
    "engine.fold_lost": "{facts} pinned facts would have got lost, a {kind} among them; the fold was taken back",
    "engine.fold_failed": "the session could not be folded: {why} · it goes on as it is, and tries again later",
    "engine.fold_nothing": "there is nothing to fold: only what must stay was said so far",
    "engine.fold_without_summary": (
        "the session was folded without a summary, since the model wrote none · what was done is in the record"
    ),
    "engine.fold_digests_left_out": (
        "what must stay nearly fills the model's window: {count} of the oldest digests are left out "
        "· what they were about is in the record; a new session would have more room"
    ),
    "engine.window_full": (
        "what must stay does not fit the model's window any more: {why} "
        "· begin a new session, or resume this one with a model that has a larger window"
    ),
    "engine.queue_full": "{count} inputs wait for session {id} already · wait, or interrupt one of them",
    "engine.fork_running": "turn {turn} of session {id} is not over · fork up to an earlier one, or wait",
    "engine.no_such_item": "session {id} has no item {item}",
    "engine.no_such_turn_here": "session {id} has no turn {turn}",
    "engine.left.command": "the background command {id} still ran and was ended with its session: {what}"
    " · daedal exec --keep-tasks lets such commands go on",
    "engine.left.agent": "the background agent {id} had not finished and was cut off with its session: {what}"
    " · have its report waited for before the turn ends",
    "engine.left.kept": "the background command {id} goes on: {what} · daedal tasks shows it, and ends it",
    "engine.left.more": "{count} more background tasks still ran",
    "engine.planner_failed": "there is no plan: {why} · the request is worked on without one",
    "engine.planner_stopped": "the planning was stopped",
    "engine.plan_by": "Plan by {model}:\n\n{plan}",
    "engine.goal_damaged": "the goal of session {id} cannot be read from the record: {error} · daedal doctor says more",
    "engine.goal_tokens": "the goal's budget of {budget} tokens is used up ({used} so far) · raise it, or clear the goal",
    "engine.no_goal": "session {id} has no goal · set one with an objective",
    "engine.goal_planning": "a goal cannot be worked at while the thread plans · leave plan mode first",
    "engine.goal_without_check": "the goal of session {id} has no check · set one, or judge it yourself",
    "engine.goal_unproved": "the goal counts as done only when its check has just passed: {check}",
    "engine.goal_stopped": "stopped by the person",
    "engine.empty_goal": "the goal is empty · say what shall be achieved",
    "engine.long_goal": "the goal is longer than {limit} characters · put the details into a file and name it",
    "engine.empty_check": "the check is empty · give a command that succeeds when the goal is reached",
    "engine.goal_number": "{value} is too small · give 1 or more",
    "engine.thread_not_loaded": "session {id} is not loaded · resume it first",
    "engine.too_many_images": "{count} images are too many for one prompt · give at most {limit}",
    "engine.no_vision": "{model} does not take images here · describe what they show, or choose a model that sees",
    "engine.empty_command": "there is no command to run · type one after the !",
    "engine.bad_timeout": "{value} ms is no time to run a command in · give a positive number",
    "engine.no_shell": "session {id} has no shell of its own here · run the command in a terminal",
    "engine.rewind_nothing": "nothing to rewind: say whether the conversation, the files or both shall go back",
    "engine.rewind_blob_gone": "what it held then is not kept any more",
    "engine.rewind_changed": "somebody else has changed it since",
    "engine.rewind_not_ours": "what {provider} remembers cannot be taken back · rewind the files alone, or fork the "
    "session",
}
