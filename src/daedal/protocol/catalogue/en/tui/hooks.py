"""What /hooks says to people."""

WORDS = {
    "tui.hooks.about": "list the hooks and what they did last",
    "tui.hooks.title": "Hooks",
    "tui.hooks.headings": "EVENT|MATCHES|COMMAND|REQUIRED|SET BY",
    "tui.hooks.none": "There are no hooks · [[hooks]] in the settings adds one.",
    "tui.hooks.required": "yes",
    "tui.hooks.last": "What they did last, the newest first",
    "tui.hooks.run_headings": "AT (UTC)|EVENT|OUTCOME|COMMAND|SAID",
    "tui.hooks.outcome_ran": "ran",
    "tui.hooks.outcome_denied": "denied the call",
    "tui.hooks.outcome_failed": "broke (exit code {code})",
    "tui.hooks.outcome_timed_out": "broke (timed out)",
    "tui.hooks.outcome_invalid": "broke (said nonsense)",
    "tui.hooks.outcome_broken": "broke (could not start)",
    "tui.hooks.outcome_skipped": "skipped ({reason})",
}
