"""What `daedal sync` says to people."""

WORDS = {
    "cli.sync.example": "daedal sync --project-dir ~/work/shop",
    "cli.sync.about": "check existing code against SPEC.md without touching it",
    "cli.sync.startup": "Checking the code against SPEC.md",
}
