"""What /clear says to people."""

WORDS = {
    "tui.clear.about": "begin a fresh session in the same conversation; the ledger keeps this one",
    "tui.clear.already": "This session is fresh already.",
    "tui.clear.done": "A fresh session. The one before: daedal resume {id}",
}
