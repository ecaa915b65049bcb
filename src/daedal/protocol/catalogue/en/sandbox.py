"""What the sandbox says to people."""

WORDS = {
    "sandbox.left_behind": "{command} still runs, though the daedal that started it is gone · daedal tasks stop {id} ends it",
}
