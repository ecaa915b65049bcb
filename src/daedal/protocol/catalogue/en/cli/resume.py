"""What `daedal resume` says to people."""

WORDS = {
    "cli.resume.example": "daedal resume",
    "cli.resume.about": "go on with an earlier session in the chat",
    "cli.resume.session": "its id (the first characters will do); without it, a list to pick from",
    "cli.resume.how": "go on with one: daedal resume ID",
}
