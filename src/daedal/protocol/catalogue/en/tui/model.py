"""What /model says to people."""

WORDS = {
    "tui.model.about": "choose the model that answers from now on, and how hard it thinks",
    "tui.model.choose": "Which model?",
    "tui.model.in_use": "in use",
    "tui.model.effort": "effort",
    "tui.model.no_effort": "cannot be told how hard to think",
    "tui.model.keys": "type to search · ↑↓ model · ←→ effort · Enter takes it · Esc goes back",
    "tui.model.now": "From now on {model} ({provider}) answers{thinks} · /config default_model … makes one the default",
    "tui.model.thinks": ", effort {effort}",
}
