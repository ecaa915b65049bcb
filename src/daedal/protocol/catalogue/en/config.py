"""What the `config` room says."""

WORDS: dict[str, str] = {
    # Where files are.
    "config.no_home": "your home folder is unknown · set DAEDAL_HOME to the folder that Daedal should use",
    "config.not_ordinary": "it is not an ordinary file",
    "config.unreadable": "cannot read {path}: {reason} · correct that, or move the file away",
    "config.unwritable": "cannot write {path}: {reason} · nothing was changed",
    "config.too_large": "{path} is larger than {limit} bytes · settings files are short: is this the right file?",
    "config.not_utf8": "{path}:{line}: not UTF-8 text · save the file as UTF-8",
    # What a file says.
    "config.invalid_toml": "{path}:{line}:{column}: not valid TOML: {reason} · correct this line",
    "config.beyond_reading": "{path}: nested too deeply, or a number is too long · simplify the file",
    "config.unknown": "unknown key {setting} · remove it; `daedal config` lists every key",
    "config.unknown_near": "unknown key {setting} · did you mean {near}?",
    "config.later": "{setting} is known, but this version has no {feature} · remove it",
    "config.mismatch": "{setting} must be {expected}, found {found}",
    "config.missing": "{setting} is missing · add it: {expected}",
    "config.invalid": "{where}{setting}: {reason}",
    "config.ignored.user_only": "{setting} is ignored: a project may not set it · set it in {user_file} or by a flag",
    "config.ignored.trusted_only": (
        "{setting} is ignored: it counts only in a trusted folder · set it in {user_file} or by a flag"
    ),
    "config.bad_snapshot": (
        "the ledger's settings (settings_snapshot, scope {scope!r}) do not fit: {reason} · correct the JSON, or change "
        "a config file so that they are written anew"
    ),
    "config.absent": "{setting} is not there · `daedal config` lists what is",
    # Types in words.
    "config.type.bool": "true or false",
    "config.type.int": "a whole number",
    "config.type.float": "a number",
    "config.type.str": "text",
    "config.type.any": "a value",
    "config.type.table": "a table",
    "config.type.tables": "an array of tables",
    "config.type.list": "a list, each entry {item}",
    "config.type.choice": "one of {choices}",
    "config.type.or": " or ",
    "config.bound.gt": "above {limit}",
    "config.bound.ge": "of at least {limit}",
    "config.bound.lt": "below {limit}",
    "config.bound.le": "of at most {limit}",
    "config.bound.multiple_of": "that is a multiple of {limit}",
    "config.bound.pattern": "that matches {limit}",
    "config.bound.min_length": "with a length of at least {limit}",
    "config.bound.max_length": "with a length of at most {limit}",
    "config.found.str": "text",
    "config.found.other_text": "other text",
    "config.found.list": "a list",
    "config.found.table": "a table",
    # Who set something.
    "config.origin.default": "default",
    "config.origin.flag": "flag",
    "config.origin.snapshot": "the ledger's settings",
    # What later versions have.
    "config.feature.hooks": "hooks",
    "config.feature.languages": "choice of language",
    "config.feature.memory_compiler": "memory compiler",
    "config.feature.network": "agent network",
    "config.feature.permissions": "permission rules",
    "config.feature.plan_mode": "plan mode",
    "config.feature.planner": "planner model",
    "config.feature.plugins": "MCP servers",
    "config.feature.sandbox": "sandbox settings",
    "config.feature.serve": "browser front end",
    "config.feature.skills": "skills",
    "config.feature.subagents": "sub-agents",
    "config.feature.temperature": "choice of temperature",
    # Changing a file.
    "config.bad_key": "{setting} is not a key · write it like agent.max_steps",
    "config.value_invalid": 'the value for {setting} is not valid TOML · write a number, true, text or ["a", "b"]',
    "config.not_set": "{setting} is not set in {path} · nothing was changed",
    "config.edit_by_hand": "{setting} cannot be changed safely in {path} as it is written · edit the file yourself",
    "config.edit_tables": "{setting} belongs to an array of tables · edit {path} yourself",
    "config.users_alone": "{setting} in {path} would be ignored: a project may not set it · set it in your own config",
    "config.edit_table": "{setting} is a table · set one of its keys: {keys}",
    # Saved keys.
    "config.dotenv_line": "{where}: not a KEY=VALUE line · correct or remove it",
    "config.dotenv_quote": "{where}: a quoted value does not end, or something follows it · correct the line",
    "config.dotenv_value": "{name} cannot be saved: the name or the value has characters that are not allowed",
    "config.dotenv_mode": "{path} holds keys and others may read it · run: chmod 600 {path}",
    "config.table_exists": "{path} has another [[{array}]] named {name} · edit it there, or choose another name",
}
