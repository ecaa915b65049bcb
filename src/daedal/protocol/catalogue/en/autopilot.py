"""What drivers say to people."""

WORDS = {
    "autopilot.claimed": "the model reports it as complete; no check was given",
    "autopilot.proved": "the check passes: {check}",
    "autopilot.check_declined": (
        "the check may not run, so nothing can show that the goal is reached: {check} ({why})"
        " · allow it, for example with --allow, and go on"
    ),
    "autopilot.blocked": "blocked {count} times in a row: {reason} · take that out of the way and go on",
    "autopilot.limit": "{limit} turns followed by themselves, which is the limit · look at it, and go on or raise the limit",
    "autopilot.trouble": "the goal cannot be followed: {why} · daedal exec --continue takes it up again",
    "autopilot.state_unwritable": (
        "the state of the research cannot be kept in {path}: {why} · make the folder writable, or leave --research out"
    ),
    "autopilot.unsaid": "it did not say what is in the way",
}
