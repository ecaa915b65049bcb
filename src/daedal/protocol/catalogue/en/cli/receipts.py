"""What `daedal receipts` says to people."""

WORDS = {
    "cli.receipts.example": "daedal receipts verify",
    "cli.receipts.about": "show what was proved, and check that nobody tampered with the record of it",
    "cli.receipts.action": "list (default), or verify: walk the whole chain",
    "cli.receipts.limit": "how many to list, the newest first (default: 20)",
    "cli.receipts.none": "there are no receipts yet",
    "cli.receipts.headings": "number|time|kind|session|hash|what",
    "cli.receipts.whole": "{count} receipts, and the chain is whole",
    "cli.receipts.broken": (
        "the chain of {count} receipts is broken at number {number} · somebody changed or removed one; what comes later "
        "proves nothing"
    ),
}
