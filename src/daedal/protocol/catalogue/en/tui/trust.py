"""What /trust says to people."""

WORDS = {
    "tui.trust.about": "see what this folder's files would put into effect, and trust it or not",
    "tui.trust.nothing": "{folder}: nothing here needs trust.",
    "tui.trust.trusted": "{folder} is trusted. In effect:",
    "tui.trust.changed": "{folder} was trusted, but has changed since. Not in effect until you trust it again:",
    "tui.trust.untrusted": "{folder} is not trusted. Trust would put into effect:",
    "tui.trust.question": "Trust this folder, with exactly these contents?",
    "tui.trust.yes": "trust it",
    "tui.trust.no": "leave it",
    "tui.trust.done": "{folder} is trusted. That takes effect with the next start of daedal.",
    "tui.trust.not_done": "The folder is not trusted.",
    "tui.trust.about_revoke": "take trust back",
    "tui.trust.revoked": "{folder} is not trusted any more. That takes effect with the next start.",
    "tui.trust.was_not": "{folder} was not trusted.",
}
