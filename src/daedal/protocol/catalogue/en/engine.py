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
    "engine.turn_cannot_change": (
        "a turn cannot change the {what} of its thread to {value} · resume session {id} with it, or start another thread"
    ),
    "engine.bad_cursor": "{cursor} is no cursor · pass on what the page before gave, or leave it out",
    "engine.nothing_to_compact": "session {id} has said nothing yet · there is nothing to sum up",
    "engine.queue_full": "{count} inputs wait for session {id} already · wait, or interrupt one of them",
    "engine.fork_running": "turn {turn} of session {id} is not over · fork up to an earlier one, or wait",
    "engine.no_such_turn_here": "session {id} has no turn {turn}",
    "engine.left.command": "the background command {id} still ran and was ended with its session: {what}"
    " · daedal exec --keep-tasks lets such commands go on",
    "engine.left.agent": "the background agent {id} had not finished and was cut off with its session: {what}"
    " · have its report waited for before the turn ends",
    "engine.left.kept": "the background command {id} goes on: {what} · daedal tasks shows it, and ends it",
    "engine.left.more": "{count} more background tasks still ran",
    "engine.thread_not_loaded": "session {id} is not loaded · resume it first",
}
