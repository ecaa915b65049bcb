"""What /transcript says to people."""

WORDS = {
    "tui.transcript.about": "everything in full: diffs, output, thoughts (Ctrl+O)",
    "tui.transcript.where": "{number} of {count}",
    "tui.transcript.keys": "↑↓ PgUp PgDn g G · / n N search · q goes back",
    "tui.transcript.reading": "reading …",
    "tui.transcript.searching": "searching, {number} items further up …",
    "tui.transcript.not_found": "nothing says “{wanted}” there · n looks further up, N further down",
}
