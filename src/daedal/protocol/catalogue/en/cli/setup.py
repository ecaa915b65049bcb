"""What `daedal setup` says to people."""

WORDS = {
    "cli.setup.kind_of_built_in": "{name} is built in and has its own kind · leave --kind and --wire out, or choose another name",
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
}
