"""What `daedal --transition` says to people."""

WORDS = {
    "cli.transition.example": "daedal --transition test --conversation 0198c1a2",
    "cli.transition.about": "move a conversation to another phase",
    "cli.transition.phase": "the phase to go to",
    "cli.transition.conversation": "the conversation's id, or the beginning of it",
    "cli.transition.refused": "{id} stays in {before} and does not go to {after}: {reason}",
    "cli.transition.moved": "{id}: {before} → {after}",
}
