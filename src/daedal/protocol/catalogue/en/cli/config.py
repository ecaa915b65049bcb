"""What `daedal config` says to people."""

WORDS = {
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
}
