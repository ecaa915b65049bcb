"""What /todos says to people."""

WORDS = {
    "tui.todos.about": "show the model's list of what is to be done",
    "tui.todos.none": "The model has written no list yet.",
    "tui.todos.title": "To be done ({done} of {count} done)",
}
