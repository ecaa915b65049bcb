"""What the wiring says to people."""

WORDS = {
    "app.bad_rule": '"{rule}" is no permission rule: {why} · see daedal permissions --help for their forms',
    "app.bad_agent_file": "{path} cannot be read: {error} · mend the file, or take it away",
    "app.rules_unreadable": "{path} holds no permission rules: {why} · give a file with a [permissions] table",
}
