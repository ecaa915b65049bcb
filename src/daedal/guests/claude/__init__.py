"""How is Claude our guest? Through its Agent SDK, held in PreToolUse until our gate has spoken."""
