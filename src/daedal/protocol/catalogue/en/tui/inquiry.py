"""What the card with a model's or a server's questions says to people."""

WORDS = {
    "tui.inquiry.own": "something else:",
    "tui.inquiry.own_hint": "type it",
    "tui.inquiry.review": "Review",
    "tui.inquiry.review_title": "Shall this be sent?",
    "tui.inquiry.open": "not answered",
    "tui.inquiry.required": "this one needs an answer",
    "tui.inquiry.number": "question {number}",
    "tui.inquiry.keys_one": "↑↓ or a number, Enter takes it",
    "tui.inquiry.keys_many": "Space chooses, Enter when done",
    "tui.inquiry.keys_text": "Enter takes it",
    "tui.inquiry.keys_tabs": "Tab: next question",
    "tui.inquiry.keys_review": "Enter sends · Shift+Tab goes back",
    "tui.inquiry.keys_leave": "Esc: no answer",
}
