"""What `daedal status` says to people."""

WORDS = {
    "cli.status.example": "daedal status --watch",
    "cli.status.about": "show how far a delivery is, also while it runs in another terminal",
    "cli.status.watch": "show it again whenever something changed, until Ctrl-C",
    "cli.status.none": "nothing is planned in {project} yet · write SPEC.md, then daedal run",
    "cli.status.headings": "id|status|sessions|time|cost|description",
    "cli.status.summary": "{passed}/{total} passed · {pending} pending · {blocked} blocked · {stale} stale",
    "cli.status.verified": " · {verified} verified",
    "cli.status.sessions": "{sessions} session(s) · ${cost} · {duration}",
    "cli.status.running": "daedal {command} is at work (process {pid}, since {since}): session {number}, {instruction}",
    "cli.status.ended": "the last daedal {command} ended: {reason}",
    "cli.status.cut_off": "the last daedal {command} was cut off · daedal {command} goes on from there",
}
