"""What `daedal trust` says to people."""

WORDS = {
    "cli.trust.example": "daedal trust",
    "cli.trust.about": "look at what a folder's own hooks, servers and settings would do, and let them",
    "cli.trust.folder": "the folder (default: the project here)",
    "cli.trust.yes": "trust it without being asked",
    "cli.trust.list": "the folders that you trust",
    "cli.trust.revoke": "trust the folder no longer",
    "cli.trust.no_folder": "{folder} is not a folder · name one that is there",
    "cli.trust.nothing": "{folder} has nothing that would need trust.",
    "cli.trust.untrusted": "{folder} is not trusted. If you trust it, this takes effect:",
    "cli.trust.changed": "{folder} has changed since you trusted it. If you trust it again, this takes effect:",
    "cli.trust.trusted": "{folder} is trusted. This is in effect:",
    "cli.trust.question": "Trust it? [y/N] ",
    "cli.trust.done": "{folder} is trusted now; a change to any of these files asks again.",
    "cli.trust.not_done": "Nothing was changed. Run daedal trust --yes to trust it without being asked.",
    "cli.trust.revoked": "{folder} is not trusted any more.",
    "cli.trust.not_trusted": "{folder} was not trusted.",
    "cli.trust.none": "You trust no folder.",
    "cli.trust.headings": "TRUSTED|STATE|FOLDER",
}
