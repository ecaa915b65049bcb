"""What the command line says to people."""

WORDS = {
    "cli.error": "error: {message}",
    "cli.bug": (
        "error: Daedal itself failed ({kind}: {message}) · what was recorded is kept; "
        "set DAEDAL_DEBUG=1 to see where, and please report it"
    ),
    "cli.warning": "warning: {message}",
    "cli.usage_error": "error: {message} · see {prog} --help",
    "cli.unknown_command": 'there is no command "{word}" · see daedal --help, or daedal exec "{word} …" for a prompt',
    "cli.unknown_command_near": 'there is no command "{word}" · did you mean daedal {near}?',
    "cli.unknown_flag": "unknown option {word} · see daedal --help",
    "cli.output_lost": (
        "standard output cannot be written: {error} · what was recorded is kept; see daedal sessions, and daedal export"
    ),
    "cli.not_whole_number": '"{text}" is no whole number from 1 on',
    "cli.not_an_amount": '"{text}" is no amount greater than zero, as 0.50',
    "cli.no_sandbox_warning": (
        "warning: --no-sandbox: commands run with all of your rights; nothing confines what they read, write or reach"
    ),
    "cli.overview": """\
daedal exec "find out why the tests fail and fix it" --approval yolo

A coding agent you can leave alone, because everything it does is on the record and by the rules.

commands (each has --help):
{commands}

also:
  daedal -p PROMPT            the same as daedal exec PROMPT
  daedal --eval JSON          one tool call by hand, for instance '{{"tool":"Read","input":{{"file_path":"README.md"}}}}'
  daedal --version

exit codes:
  0 done · 1 failed · 2 usage or configuration · 53 a limit was reached
  75 provider trouble, worth trying later · 130 interrupted""",
    "cli.flag.cd": "the project folder to work in (default: this one)",
    "cli.flag.approval": (
        "who allows writing and running: ask and auto refuse them here since nobody can be asked, "
        "yolo allows them, never refuses without asking (default: ask)"
    ),
    "cli.flag.no_sandbox": "let commands run unconfined",
    "cli.exec.example": 'daedal exec "find out why the tests fail and fix it" --approval yolo',
    "cli.exec.about": "run one prompt to its end and print the answer",
    "cli.exec.prompt": "what to do; without it, or with -, read from standard input",
    "cli.exec.print": "the same as PROMPT",
    "cli.exec.output_format": "text (default), one json object at the end, or stream-json: every event as a line",
    "cli.exec.model": "a model, a provider, or provider/model (default: from the settings)",
    "cli.exec.provider": "which provider to use, with its default model unless --model is given",
    "cli.exec.continue": "go on with the newest session of this folder",
    "cli.exec.resume": "go on with session ID (its first characters will do); without a prompt: with the turn that was cut off",
    "cli.exec.max_turns": "stop after N model calls (exit code 53)",
    "cli.exec.max_budget": "stop when the run has cost this much (exit code 53)",
    "cli.exec.system_prompt_file": "use this file's text instead of Daedal's own system prompt",
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
    "cli.no_current_folder": "the current folder does not exist any more · go to another one",
    "cli.setup.kind_of_built_in": "{name} is built in and has its own kind · leave --kind and --wire out, or choose another name",
    "cli.exec.stopped": (
        "stopped after {seconds} s · model calls: {calls} · tool calls: {tools} · tokens: {tokens_in} in, {tokens_out} out"
        "{cost} · go on with: daedal exec --resume {id}"
    ),
    "cli.eval.example": """daedal --eval '{"tool":"Read","input":{"file_path":"README.md"}}'""",
    "cli.eval.about": "make one tool call by hand; the result is printed as JSON",
    "cli.eval.call": 'the call, as {"tool": NAME, "input": {…}}',
    "cli.eval.resume": "make the call in session ID instead of this folder's session for calls by hand",
    "cli.eval.malformed": """--eval takes '{{"tool": NAME, "input": {{…}}}}': {error}""",
    "cli.flag.json": "print JSON",
    "cli.sessions.example": "daedal sessions show 0198c5a1",
    "cli.sessions.about": "list what was worked on, or show one session",
    "cli.sessions.action": "list (default) or show",
    "cli.sessions.id": "a session's id, or its first characters",
    "cli.sessions.here": "only sessions of this folder",
    "cli.sessions.limit": "at most N sessions (default: 20)",
    "cli.sessions.id_with_show": "an id goes with show, and show needs one · daedal sessions show ID",
    "cli.sessions.none": 'no sessions yet · daedal exec "…" starts one, daedal demo shows one',
    "cli.sessions.headings": "ID|LAST ACTIVE|STATUS|TURNS|MODEL|USD|FOLDER|PROMPT",
    "cli.sessions.header": (
        "session {id}\n  folder {folder}\n  model {model} ({provider}) · started {started} · {turns} turns · ${cost}\n"
    ),
    "cli.export.example": "daedal export 0198c5a1 --format markdown",
    "cli.export.about": "write a session out, as JSON lines or Markdown",
    "cli.export.format": "jsonl (default) or markdown",
    "cli.export.output": "write to FILE instead of standard output",
    "cli.export.none": "there is no session {id}: nothing was recorded yet",
    "cli.export.unwritable": "{path} cannot be written: {error}",
    "cli.completion.example": "source <(daedal completion bash)",
    "cli.completion.about": "print the completion script for bash, zsh or fish",
    "cli.completion.shell": "which shell",
    "cli.config.example": "daedal config set default_model claude_code_subscription/claude_opus_4",
    "cli.config.about": "show every setting, its value and who set it; get, set, unset one; show the paths",
    "cli.config.action": "list (default), get KEY, set KEY VALUE, unset KEY, or path",
    "cli.config.key": "a setting, as agent.max_steps",
    "cli.config.value": "a TOML value; bare words are taken as text",
    "cli.config.project": "change the project's daedal.toml instead of the user's config.toml",
    "cli.config.takes_0": "config {action} takes no further argument",
    "cli.config.takes_1": "config {action} takes a key · daedal config {action} agent.max_steps",
    "cli.config.takes_2": "config {action} takes a key and a value · daedal config {action} agent.max_steps 100",
    "cli.config.from_files": "these are the settings as the files have them; the ledger says nothing: {trouble}",
    "cli.config.set": "{key} = {value} in {file}",
    "cli.config.unset": "{key} removed from {file}",
    "cli.config.headings": "SETTING|VALUE|SET BY",
    "cli.config.path_exists": "{name:<8} {path}",
    "cli.config.path_missing": "{name:<8} {path} (does not exist)",
    "cli.setup.example": "daedal setup --provider claude_code_subscription --api-key-stdin < key.txt",
    "cli.setup.about": "connect a model: asks, tries it with one real call, and saves it",
    "cli.setup.provider": "a built-in provider, or a name of your own for another endpoint",
    "cli.setup.kind": "what the endpoint speaks (for a name of your own; default: openai)",
    "cli.setup.wire": "for kind openai: chat (default) or responses",
    "cli.setup.base_url": "the endpoint's address, for instance http://127.0.0.1:8080/v1",
    "cli.setup.model": "the model to use by default",
    "cli.setup.api_key": "the key; other users of this machine may see it while this runs, so prefer --api-key-stdin",
    "cli.setup.api_key_stdin": "read the key from standard input",
    "cli.setup.no_check": "save without trying it",
    "cli.setup.needs_provider": "which provider? · --provider with one of {known}, or a name of your own with --base-url",
    "cli.setup.needs_key": "{name} needs a key · --api-key-stdin, or set {variable}",
    "cli.setup.needs_url_and_model": (
        "{name} is not built in, so --base-url and --model are needed · built in are {known}"
    ),
    "cli.setup.trying": "trying {model} with one short call …",
    "cli.setup.works": "it works: {model} answered “{answer}”",
    "cli.setup.saved_keys": "saved {names} in {file} (readable by you only)",
    "cli.setup.saved": 'saved {model} as the default model in {file} · now: daedal exec "…"',
    "cli.setup.choose": "Which provider?",
    "cli.setup.about_claude_code_subscription": "{name}: Anthropic's API",
    "cli.setup.about_openai_compatible": "{name}: OpenAI's API, or another that speaks Chat Completions",
    "cli.setup.about_lm_studio_local": "{name}: a model on this machine",
    "cli.setup.ask_provider": "number, or a name of your own:",
    "cli.setup.ask_url": "address of the endpoint:",
    "cli.setup.ask_model": "name of the model:",
    "cli.setup.ask_key": "{variable} (not shown while you type; empty for none):",
    "cli.doctor.example": "daedal doctor --json",
    "cli.doctor.about": "say what works here, what is missing, and what to do",
    "cli.doctor.python": "python",
    "cli.doctor.programs": "programs",
    "cli.doctor.settings": "settings",
    "cli.doctor.model": "model",
    "cli.doctor.ledger": "ledger",
    "cli.doctor.sandbox": "sandbox",
    "cli.doctor.not_found": "not found",
    "cli.doctor.install_ripgrep": "reinstall Daedal, or install ripgrep",
    "cli.doctor.install_bash": "install bash; the Bash tool needs it",
    "cli.doctor.install_git": "install git; projects are best kept in it",
    "cli.doctor.defaults": "built-in defaults; no config file yet",
    "cli.doctor.model_ready": "{model} ({provider}), key found",
    "cli.doctor.no_ledger": "{path} will be made when first needed",
    "cli.doctor.unconfined": "commands run with your rights, unconfined",
    "cli.doctor.unconfined_advice": "they run only with --approval yolo",
    "cli.demo.example": "daedal demo",
    "cli.demo.about": "watch the main job with nothing configured: find a bug, fix it, prove it",
    "cli.demo.keep": "make the project in DIR, which must be new or empty (default: a temporary folder)",
    "cli.demo.not_empty": "{folder} is not an empty folder · choose another for --keep",
    "cli.demo.git_failed": "git could not make the demo project: {error}",
    "cli.demo.intro": (
        "A demo with nothing configured. The model's replies are recorded ones; the tools, git, the tests and the\n"
        "ledger are real. The project: {folder}\n"
    ),
    "cli.demo.prompt": "A test fails. Find the bug, fix it, and show that the tests pass.",
    "cli.demo.before": "tests before: {verdict}\n",
    "cli.demo.after": "\ntests after: {verdict}\n",
    "cli.demo.headings": "#|TOOL|ON|RESULT|TIME",
    "cli.demo.exit_code": "exit code {code}",
    "cli.demo.diff": "\nwhat changed:\n{diff}",
    "cli.demo.further": """
look further:
  {daedal} sessions show {id}
  {daedal} export {id} --format markdown
  cd {folder} && git diff
then, with a model of your own:
  {daedal} setup
  {daedal} exec "…" --approval yolo""",
}
