"""How does the chat feel? Measured over a pseudo-terminal, beside bare programs that do nothing but show and type."""
