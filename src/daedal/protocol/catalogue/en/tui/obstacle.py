"""What the card says when no model can be talked to."""

WORDS = {
    "tui.obstacle.question": "There is no model to talk to yet. What now?",
    "tui.obstacle.set_up": "set one up here",
    "tui.obstacle.about_set_up": "a key, an endpoint of your own, or a local model; takes a minute",
    "tui.obstacle.model": "name another model",
    "tui.obstacle.which": "Which model? A name, or provider/model:",
    "tui.obstacle.again": "try again",
    "tui.obstacle.leave": "leave",
}
