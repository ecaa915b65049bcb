"""Is a repository that a command made one that git can be run in? It may say nothing about what git should start."""

import os
import re

CONFIG_BYTES_MAX = 65_536

SAFE = {
    "core": "repositoryformatversion filemode bare logallrefupdates ignorecase precomposeunicode symlinks autocrlf eol"
    " safecrlf quotepath",
    "user": "name email",
    "init": "defaultbranch",
    "remote": "url fetch pushurl tagopt prune",
    "branch": "remote merge rebase description",
    "submodule": "url active",
    "pull": "rebase ff",
    "push": "default autosetupremote",
    "lfs": "repositoryformatversion access",
}
"""Sections of git's config, and the keys in them by which nothing is started and nothing else read."""

SECTION = re.compile(r'\[([A-Za-z]+)(?:\s+"(?:[^"\\]|\\["\\])*")?\]')
SETTING = re.compile(r"([A-Za-z]+)(?:\s*=(.*))?")


def hooks_in(folder: str) -> list[str]:
    """What git might run there. The samples that it puts there itself are not run."""
    if os.path.islink(folder):
        return [folder]
    try:
        names = sorted(os.listdir(folder))
    except NotADirectoryError:
        return [folder]
    except OSError:
        return []
    return [os.path.join(folder, name) for name in names if not name.endswith(".sample")]


def is_harmless(path: str) -> bool:
    """Whether that config starts nothing, by whatever command of git."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        with open(descriptor, "rb") as file:
            text = file.read(CONFIG_BYTES_MAX + 1)
        return len(text) <= CONFIG_BYTES_MAX and _says_only_what_is_safe(text.decode("utf-8"))
    except (OSError, ValueError):
        return False


def _says_only_what_is_safe(text: str) -> bool:
    known: list[str] = []
    for line in filter(None, map(str.strip, text.split("\n"))):
        section, setting = SECTION.fullmatch(line), SETTING.fullmatch(line)
        if section is not None:
            known = SAFE.get(section[1].lower(), "").split()
        elif line[0] not in "#;" and (setting is None or not _is_safe(setting, known)):
            return False
    return True


def _is_safe(setting: re.Match[str], known: list[str]) -> bool:
    value = setting[2] or ""
    # `ext::` and its like name a program; a line that goes on is not worth understanding.
    return setting[1].lower() in known and "::" not in value and not value.endswith("\\")
