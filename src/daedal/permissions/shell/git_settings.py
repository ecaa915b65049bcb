"""Which git settings can only change how things look or who is named, never what runs?"""

_SECTIONS = frozenset({"advice", "color", "column", "user", "author", "committer", "status", "i18n"})
_KEYS = frozenset(
    {
        "blame.date",
        "branch.autosetupmerge",
        "branch.autosetuprebase",
        "branch.sort",
        "commit.cleanup",
        "commit.status",
        "commit.verbose",
        "core.abbrev",
        "core.autocrlf",
        "core.eol",
        "core.filemode",
        "core.ignorecase",
        "core.longpaths",
        "core.precomposeunicode",
        "core.quotepath",
        "core.safecrlf",
        "core.whitespace",
        "diff.algorithm",
        "diff.colormoved",
        "diff.context",
        "diff.mnemonicprefix",
        "diff.noprefix",
        "diff.renamelimit",
        "diff.renames",
        "diff.wordregex",
        "fetch.parallel",
        "fetch.prune",
        "gc.auto",
        "grep.linenumber",
        "grep.patterntype",
        "http.lowspeedlimit",
        "http.lowspeedtime",
        "http.postbuffer",
        "init.defaultbranch",
        "log.abbrevcommit",
        "log.date",
        "log.decorate",
        "log.follow",
        "log.showsignature",
        "merge.conflictstyle",
        "merge.ff",
        "merge.renames",
        "protocol.version",
        "pull.ff",
        "pull.rebase",
        "push.autosetupremote",
        "push.default",
        "push.followtags",
        "rebase.autosquash",
        "rebase.autostash",
        "rebase.updaterefs",
        "rerere.enabled",
        "tag.sort",
        "versionsort.suffix",
    }
)
_SIGNING = frozenset({"commit.gpgsign", "tag.gpgsign", "push.gpgsign"})
_PROGRAMS = frozenset({"core.pager", "core.editor", "sequence.editor"})
_IDLE = frozenset({"cat", "true", ":"})


def is_harmless_setting(setting: str) -> bool:
    """Of `key` or `key=value`. Names match without case, as in git; a program may only be one that does nothing."""
    key, _, value = setting.partition("=")
    key = key.lower()
    section, _, rest = key.partition(".")
    if key in _PROGRAMS:
        return value in _IDLE
    if section in _SECTIONS and rest:
        return key != "user.signingkey"
    return key in _KEYS or key in _SIGNING
