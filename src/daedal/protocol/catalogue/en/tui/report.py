"""What /report says to people."""

WORDS = {
    "tui.report.about": "write a report for finding faults, without secrets, to a local file",
    "tui.report.done": "Report: {path}",
    "tui.report.look": "Nothing was sent anywhere. Known keys and whatever looks like a secret were taken out; prompts and results are in it, so look through it before you hand it on.",
}
