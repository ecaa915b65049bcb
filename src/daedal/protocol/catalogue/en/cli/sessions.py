"""What `daedal sessions` says to people."""

WORDS = {
    "cli.sessions.example": "daedal sessions show 0198c5a1",
    "cli.sessions.about": "list what was worked on, or show one session",
    "cli.sessions.action": "list (default) or show",
    "cli.sessions.id": "a session's id, or its first characters",
    "cli.sessions.here": "only sessions of this folder",
    "cli.sessions.limit": "at most N sessions (default: 20)",
    "cli.sessions.id_with_show": "an id goes with show, and show needs one · daedal sessions show ID",
    "cli.sessions.none": 'no sessions yet · daedal exec "…" starts one, daedal demo shows one',
    "cli.sessions.headings": "ID|LAST ACTIVE|STATUS|TURNS|MODEL|USD|FOLDER|PROMPT",
    "cli.sessions.header": (
        "session {id}\n  folder {folder}\n  model {model} ({provider}) · started {started} · {turns} turns · ${cost}\n"
    ),
}
