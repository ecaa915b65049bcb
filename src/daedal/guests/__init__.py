"""Which engines that are not ours stand behind our server? Codex and Claude, on the `Engine` seam."""
