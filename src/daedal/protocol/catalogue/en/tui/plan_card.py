"""What the card with a plan says to people."""

WORDS = {
    "tui.plan_card.title": "The plan",
    "tui.plan_card.question": "Shall it be carried out?",
    "tui.plan_card.yes": "yes, and ask me about edits and commands as usual",
    "tui.plan_card.yes_edits": "yes, accept its edits, and ask me about commands",
    "tui.plan_card.yes_all": "yes, and ask nothing more until the plan is carried out",
    "tui.plan_card.no": "no, keep planning: say what is missing",
    "tui.plan_card.edit": "edit the plan first (Ctrl+G, in $EDITOR)",
    "tui.plan_card.comment": "What shall be different?",
}
