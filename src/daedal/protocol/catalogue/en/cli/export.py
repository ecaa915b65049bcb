"""What `daedal export` says to people."""

WORDS = {
    "cli.export.example": "daedal export 0198c5a1 --format markdown",
    "cli.export.about": "write a session out, as JSON lines or Markdown",
    "cli.export.format": "jsonl (default) or markdown",
    "cli.export.output": "write to FILE instead of standard output",
    "cli.export.none": "there is no session {id}: nothing was recorded yet",
    "cli.export.unwritable": "{path} cannot be written: {error}",
}
