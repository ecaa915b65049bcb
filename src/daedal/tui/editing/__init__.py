"""How is a prompt written? A text with a cursor, keys that change it, earlier prompts, pastes."""
