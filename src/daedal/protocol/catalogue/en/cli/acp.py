"""What `daedal acp` says to people."""

WORDS = {
    "cli.acp.example": "daedal acp   # what your editor starts; the guide says how: docs/guides/editors.md",
    "cli.acp.about": "let an editor work with Daedal, over the Agent Client Protocol",
    "cli.acp.max_turns": "stop a prompt after N model calls",
    "cli.acp.max_budget": "stop a session when it has cost this much",
    "cli.acp.waiting": "waiting for an editor to speak the Agent Client Protocol here · Ctrl-C ends it",
    "cli.acp.no_pipe": "this speaks to an editor over pipes · configure the editor to start daedal acp",
}
