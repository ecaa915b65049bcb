"""How does Markdown become rows? What is finished is split off, parsed once and never touched again."""
