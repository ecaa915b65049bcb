"""What `daedal exec` says to people."""

WORDS = {
    "cli.exec.example": 'daedal exec "find out why the tests fail and fix it"',
    "cli.exec.about": "run one prompt to its end and print the answer",
    "cli.exec.prompt": "what to do; without it, or with -, read from standard input",
    "cli.exec.print": "the same as PROMPT",
    "cli.exec.output_format": "text (default), one json object at the end, or stream-json: every event as a line",
    "cli.exec.engine": "whose agent works: native (default), codex or claude; our rules, ledger and hooks hold for all",
    "cli.exec.cassette_of_guest": "--record and --replay are for the native engine · leave them out, or leave out --engine",
    "cli.exec.model": "a model, a provider, or provider/model (default: from the settings)",
    "cli.exec.effort": "how hard the model thinks, where it can be told so",
    "cli.exec.provider": "which provider to use, with its default model unless --model is given",
    "cli.exec.continue": "go on with the newest session of this folder",
    "cli.exec.resume": "go on with session ID (its first characters will do); without a prompt: with the turn that was cut off",
    "cli.exec.max_turns": "stop after N model calls (exit code 53)",
    "cli.exec.max_budget": "stop when the run has cost this much (exit code 53)",
    "cli.exec.system_prompt_file": "use this file's text instead of Daedal's own system prompt",
    "cli.exec.init": "run the Setup hooks for a fresh checkout first",
    "cli.exec.maintenance": "run the Setup hooks for maintenance first",
    "cli.exec.record": "append the model's replies to FILE, to be played back with --replay",
    "cli.exec.replay": "take the model's replies from FILE instead of a provider",
    "cli.exec.record_or_replay": "--record and --replay exclude each other · leave one out",
    "cli.exec.server_gone": (
        "the engine does not answer any more · what was recorded is kept; go on with daedal exec --resume {id}"
    ),
    "cli.exec.continue_or_resume": "--continue and --resume exclude each other · leave one out",
    "cli.exec.no_prompt": 'there is no prompt · daedal exec "…", or pipe one in',
    "cli.exec.two_prompts": "there are two prompts, one by --print and one beside it · leave one out",
    "cli.exec.prompt_too_long": "the prompt is longer than {limit} MiB · put it into a file and name the file in the prompt",
    "cli.exec.nothing_to_continue": "there is no session of {folder} yet · leave --continue out to start one",
    "cli.exec.unreadable_file": "{path} cannot be read: {error}",
    "cli.exec.opened": "{model} ({provider}) · session {id}",
    "cli.exec.retrying": "{reason} · trying again in {delay} s ({attempt})",
    "cli.exec.exit_code": " · exit code {code}",
    "cli.exec.denied": " · {reason}",
    "cli.exec.cost": " · ${cost}",
    "cli.exec.done": (
        "done in {seconds} s · model calls: {calls} · tool calls: {tools} · tokens: {tokens_in} in, {tokens_out} out{cost}"
    ),
    "cli.exec.interrupted": (
        "interrupted after {seconds} s · model calls: {calls} · tool calls: {tools} · tokens: {tokens_in} in, "
        "{tokens_out} out{cost} · go on with: daedal exec --resume {id}"
    ),
    "cli.exec.failed_call": " · {reason}",
    "cli.exec.empty_id": "--resume needs the id of a session · see daedal sessions",
    "cli.exec.silent_input": (
        "standard input is open but said nothing for {seconds} s, so it is left out · close it with < /dev/null"
    ),
    "cli.exec.stopped": (
        "stopped after {seconds} s · model calls: {calls} · tool calls: {tools} · tokens: {tokens_in} in, {tokens_out} out"
        "{cost} · go on with: daedal exec --resume {id}"
    ),
    "cli.exec.planner_model": "have MODEL plan each request first, in a session of its own that only reads",
    "cli.exec.planner_of_guest": "--planner-model is for the native engine · leave it out, or leave out --engine",
    "cli.exec.goal": "work at this goal, turn after turn, until it is done, blocked, stopped or at its limit",
    "cli.exec.until": "the goal is done when this command succeeds, whatever the model says",
    "cli.exec.goal_limit": "how many turns may follow the first by themselves (default 25; exit code 53)",
    "cli.exec.research": "with --goal: keep to the research protocol, with its state in .daedal/autoresearch",
    "cli.exec.simple": "with --goal: no research protocol; with a prompt: it never becomes a goal by itself",
    "cli.exec.goal_and_prompt": "the goal is the prompt · leave one of them out",
    "cli.exec.goal_missing": "there is no goal to which this belongs · add --goal, or go on with a session that has one",
    "cli.exec.research_or_simple": "--research and --simple exclude each other · leave one out",
    "cli.exec.folding": "∙ summing up earlier work: the model's window is getting full",
    "cli.exec.goal_active": "goal: {objective} · {turns}",
    "cli.exec.goal_blocked": " · blocked {count} of 3 times: {reason}",
    "cli.exec.goal_over": "goal {status}: {reason} · {turns} · model calls: {calls}",
    "cli.exec.goal_turns": "continued {count} of {limit} times",
    "cli.exec.keep_tasks": "let background commands go on when this run ends (daedal tasks lists them)",
    "cli.exec.bare": "no logins, hooks, MCP servers or AGENTS.md: for Anthropic only ANTHROPIC_API_KEY or your own api_key_helper counts",
}
