"""What /context says to people."""

WORDS = {
    "tui.context.about": "show what fills the model's window",
    "tui.context.title": "Context",
    "tui.context.used": "{used} tokens",
    "tui.context.used_of": "{used} of {window} tokens ({percent} %)",
    "tui.context.count": "×{count}",
    "tui.context.cached": "{tokens} came from the cache last time",
    "tui.context.folds_at": "folds itself at {tokens} · /compact does it now",
    "tui.context.folded": "folded {count} times so far",
    "tui.context.part_systemPrompt": "system prompt",
    "tui.context.part_tools": "tools",
    "tui.context.part_instructions": "instructions",
    "tui.context.part_userTurns": "what you said",
    "tui.context.part_digests": "summaries",
    "tui.context.part_pinned": "pinned facts",
    "tui.context.part_replies": "replies",
    "tui.context.part_toolCalls": "tool calls",
    "tui.context.part_toolResults": "tool results",
    "tui.context.part_free": "free",
}
