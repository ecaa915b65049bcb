"""What /agents says to people."""

WORDS = {
    "tui.agents.about": "list who can be given a task",
    "tui.agents.title": "Agents",
    "tui.agents.headings": "NAME|MODEL|FROM|ABOUT",
    "tui.agents.unknown": "there is no agent {name} · /agents lists them",
    "tui.agents.what": "does",
    "tui.agents.tools": "tools",
    "tui.agents.all": "all that the session has",
    "tui.agents.model": "model",
    "tui.agents.same": "the session's",
    "tui.agents.from": "from",
}
