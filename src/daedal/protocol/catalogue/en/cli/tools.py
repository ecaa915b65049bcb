"""What `daedal tools` says to people."""

WORDS = {
    "cli.tools.example": "daedal tools --json",
    "cli.tools.about": "list the tools that a model would be offered here",
    "cli.tools.headings": "TOOL|READ-ONLY|TOLD|FROM|ABOUT",
    "cli.tools.read_only": "yes",
    "cli.tools.not_read_only": "no",
    "cli.tools.offer_at_first": "at first",
    "cli.tools.offer_deferred": "when looked up",
    "cli.tools.offer_not": "not (tools.enabled)",
}
