"""What `daedal doctor` says to people."""

WORDS = {
    "cli.doctor.example": "daedal doctor --json",
    "cli.doctor.about": "say what works here, what is missing, and what to do",
}
