"""What flags say that several commands have."""

WORDS = {
    "cli.flag.cd": "the project folder to work in (default: this one)",
    "cli.flag.approval": (
        "what becomes of a call that needs an answer: ask a person (here: allowed while the sandbox confines it and no rule "
        "asks, else refused), auto allows what no rule asks for, yolo allows all but what only a person may, never refuses"
    ),
    "cli.flag.permission_mode": "what happens where no rule speaks (default: from the settings)",
    "cli.flag.allow": "allow calls that this rule covers, as 'Bash(npm test:*)' or 'Edit(src/**)'; may be repeated",
    "cli.flag.deny": "refuse calls that this rule covers, in every mode; may be repeated",
    "cli.flag.guard": "judge every call by the guard of unattended work too: run may build, sync may only look",
    "cli.flag.allow_destructive": "with --guard run: let rm and mv work inside the project",
    "cli.flag.no_sandbox": "let commands run unconfined",
    "cli.flag.json": "print JSON",
    "cli.flag.action": "what to do; each has --help",
}
