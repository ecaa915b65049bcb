"""What all cards say to people."""

WORDS = {
    "tui.card.keys": "letter, or ↑↓ and Enter · Ctrl+O whole screen · Esc: no, and stop",
    "tui.card.where": "lines {first}–{last} of {count} · PgUp PgDn",
    "tui.card.more": "{count} more to answer after this",
}
