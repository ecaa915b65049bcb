"""What `daedal agents` says to people."""

WORDS = {
    "cli.agents.example": "daedal agents show Explore",
    "cli.agents.about": "list the types of agents that can be given a task here, or read one",
    "cli.agents.action": "what to do: list (default), or show one with its system prompt",
    "cli.agents.name": "with show: the type of agent",
    "cli.agents.name_with_show": "show takes the name of an agent, and only show does · daedal agents show Explore",
    "cli.agents.headings": "AGENT|FROM|TOOLS|MODEL|FOR",
    "cli.agents.all_tools": "all",
    "cli.agents.all_but": "{tools} but {others}",
    "cli.agents.how": "tools: {tools} · model: {model} · turns at most: {turns} · isolation: {isolation}",
}
