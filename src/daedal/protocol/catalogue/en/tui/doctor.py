"""What /doctor says to people."""

WORDS = {
    "tui.doctor.about": "say what works here, what is missing, and what to do",
    "tui.doctor.looking": "Looking, and trying the walls from inside …",
    "tui.doctor.title": "Doctor (daedal {version})",
    "tui.doctor.headings": " |WHAT|FOUND",
    "tui.doctor.wrong": "{count} things are missing.",
    "tui.doctor.fine": "Everything that is needed works.",
}
