"""What `daedal commands` says to people."""

WORDS = {
    "cli.commands.example": "daedal commands",
    "cli.commands.about": "list the custom commands that a prompt can begin with, as /review",
    "cli.commands.headings": "COMMAND|FROM|DOES",
    "cli.commands.none": "No custom commands · put Markdown files into .daedal/commands/, as docs/guides/prompts.md shows",
}
