"""How is the real Codex our guest? Its app-server is a child of ours, asks before everything, and is answered by us."""
