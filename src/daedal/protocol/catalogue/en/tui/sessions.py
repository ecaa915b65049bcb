"""What the list of sessions says to people."""

WORDS = {
    "tui.sessions.title": "Sessions of this folder:",
    "tui.sessions.title_all": "Sessions of all folders:",
    "tui.sessions.keys": "type to search · ↑↓ and Enter · Ctrl+A all folders · Esc goes back",
    "tui.sessions.running": "runs in process {pid}",
    "tui.sessions.this": "this one",
    "tui.sessions.forked": "a copy",
    "tui.sessions.elsewhere": "that session belongs to {folder} · go there and run: daedal resume {id}",
    "tui.sessions.days": "{count} d ago",
    "tui.sessions.hours": "{count} h ago",
    "tui.sessions.minutes": "{count} min ago",
    "tui.sessions.now": "just now",
}
