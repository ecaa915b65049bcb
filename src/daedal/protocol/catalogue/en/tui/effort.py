"""What /effort says to people."""

WORDS = {
    "tui.effort.about": "choose how hard the model thinks",
    "tui.effort.choose": "How hard shall {model} think?",
    "tui.effort.auto": "what the settings say",
    "tui.effort.now": "From now on the effort is {effort}.",
    "tui.effort.unset": "The model is told nothing about effort.",
    "tui.effort.none": "{model} cannot be told how hard to think · /model chooses another",
}
