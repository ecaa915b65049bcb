"""Which parts of a command should a person look at before they say yes? A quick reading, not a verdict.

The gate has judged the command with a real parser. Here only the words are found at which an eye should stop: what
deletes, what leaves the machine, what becomes somebody else, what runs what another command prints.
"""

import os
import re

from msgspec import Struct

READ_MAX = 20_000
BEGINS = frozenset({"do", "then", "else", "elif", "if", "while", "until", "!", "{", "("})
"""Words after which a command comes."""
CARRIERS = frozenset({"env", "nohup", "xargs", "time", "command", "exec", "nice", "timeout", "builtin", "stdbuf"})
"""Commands that run the one after them."""
KINDS = {
    "elevates": frozenset({"sudo", "doas", "su", "pkexec"}),
    "deletes": frozenset({"rm", "rmdir", "unlink", "shred", "dd", "truncate", "wipefs"}),
    "network": frozenset(
        {"curl", "wget", "ssh", "scp", "sftp", "rsync", "nc", "ncat", "netcat", "telnet", "ftp", "socat"}
    ),
    "modes": frozenset({"chmod", "chown", "chgrp", "setfacl", "mount", "umount"}),
    "ends": frozenset({"kill", "pkill", "killall", "shutdown", "reboot", "systemctl"}),
    "runs": frozenset({"eval", "source", ".", "sh", "bash", "zsh", "dash"}),
}
SECONDS = {
    "git": {"push": "network", "fetch": "network", "pull": "network", "clone": "network", "clean": "deletes"},
    "npm": {"publish": "network", "install": "network"},
    "pip": {"install": "network"},
    "docker": {"push": "network", "pull": "network", "run": "runs"},
    "find": {"-delete": "deletes", "-exec": "runs", "-execdir": "runs"},
}
"""Commands whose second word tells."""
_TOKEN = re.compile(
    r"(?P<space>[ \\]+(?=\n)|[ ]+)|(?P<line>\n)|(?P<substitution>\$\(|`|[<>]\()|(?P<chain>&&|\|\||;;|[;|])"
    r"|(?P<redirect>(?:\d*|&)>>?[|&]?)|(?P<input>\d*<<?<?-?)|(?P<background>&)|(?P<bracket>[()])"
    r"|(?P<word>(?:'[^']*'?|\"(?:\\.|[^\"\\])*\"?|\\.|\$\{[^}]*\}?|[^\s;|&<>()`'\"\\])+)|(?P<other>.)",
    re.DOTALL,
)


class Risk(Struct, frozen=True):
    start: int
    end: int
    kind: str
    """`chain` and `substitution`, `writes` (a redirection out of the folder), or one of KINDS."""
    what: str


class Reading:
    """Of a command as it is shown, in the folder where it would run."""

    def __init__(self, command: str, cwd: str) -> None:
        self._cwd = cwd
        self.risks: list[Risk] = []
        """In their order."""
        self.count = 0
        """How many commands there are in it."""
        self._is_first = True
        self._is_carried = False
        self._name = ""
        self._redirects = ""
        self._read(command[:READ_MAX])

    def _read(self, command: str) -> None:
        for token in _TOKEN.finditer(command):
            kind, text = token.lastgroup, token[0]
            if kind == "word":
                self._word(text, token.start())
            elif kind in ("substitution", "chain"):
                self._note(token, str(kind))
                self._begin()
            elif kind in ("line", "background", "bracket"):
                self._begin()
            elif kind == "redirect" and not text.endswith("&"):
                self._redirects = text

    def _begin(self) -> None:
        self._is_first, self._is_carried, self._name = True, False, ""

    def _note(self, token: re.Match[str], kind: str) -> None:
        what = {"`": "`…`"}.get(token[0], f"{token[0]}…)") if kind == "substitution" else token[0]
        self.risks.append(Risk(token.start(), token.end(), kind, what))

    def _word(self, text: str, start: int) -> None:
        end = start + len(text)
        if "$(" in text or "`" in text:
            self.risks.append(Risk(start, end, "substitution", text))
        if self._redirects:
            self._redirects = ""
            if self._is_outside(text):
                self.risks.append(Risk(start, end, "writes", text))
            return
        plain = text.replace("\\", "").replace("'", "").replace('"', "")
        if not self._is_first:
            self._argument(text, plain, start)
        elif plain not in BEGINS and not re.match(r"[A-Za-z_]\w*=|-", plain):
            self._command(plain.rpartition("/")[2], start, end)

    def _command(self, name: str, start: int, end: int) -> None:
        kind = _kind(name)
        if kind is not None:
            self.risks.append(Risk(start, end, kind, name))
        self._name = name
        is_carrier = name in CARRIERS or kind == "elevates"
        self._is_carried = self._is_carried or is_carrier
        self._is_first = is_carrier
        self.count += not is_carrier

    def _argument(self, text: str, plain: str, start: int) -> None:
        kind, what = SECONDS.get(self._name, {}).get(plain), f"{self._name} {plain}"
        if self._name == "tee" and not plain.startswith("-") and self._is_outside(text):
            kind, what = "writes", text
        if kind is None and self._is_carried:
            # `sudo -u root rm`: which word is the command only the carrier knows.
            what = plain.rpartition("/")[2]
            kind = _kind(what)
        if kind is not None:
            self.risks.append(Risk(start, start + len(text), kind, what))

    def _is_outside(self, target: str) -> bool:
        """What nobody can tell counts as outside."""
        plain = target.strip("'\"")
        if plain in ("/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty"):
            return False
        if "$" in plain or "`" in plain or plain.startswith("~"):
            return True
        path = os.path.normpath(os.path.join(self._cwd, plain))
        return path != self._cwd and not path.startswith(self._cwd.rstrip("/") + "/")


def _kind(name: str) -> str | None:
    if name.startswith("mkfs"):
        return "deletes"
    return next((kind for kind, names in KINDS.items() if name in names), None)
