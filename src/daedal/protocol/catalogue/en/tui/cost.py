"""What /cost says to people."""

WORDS = {
    "tui.cost.about": "what this session has used up: tokens, cache hits, dollars, by model",
    "tui.cost.title": "Usage of this session",
    "tui.cost.headings": "MODEL|CALLS|INPUT|CACHED|CACHE WRITE|OUTPUT|COST",
    "tui.cost.nothing": "Nothing has been used up yet.",
    "tui.cost.total": "together",
    "tui.cost.subagent": "{model}, sub-agents",
    "tui.cost.subagents": "Sub-agents that worked for this session: {count}.",
    "tui.cost.cache": "{percent} % of what was read came from the cache.",
    "tui.cost.unpriced": "The price of a model is not known, so the cost is not either · providers' prices stand in the settings.",
}
