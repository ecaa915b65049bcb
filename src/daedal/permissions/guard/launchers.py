"""Which program would a package manager start for us? What it starts must be as harmless as the command itself."""

from typing import NamedTuple

from daedal.permissions.guard.arguments import Arg

_SYSTEM = frozenset(
    [
        "rm",
        "mv",
        "rmdir",
        "unlink",
        "shred",
        "truncate",
        "dd",
        "ln",
        "install",
        "rsync",
        "tee",
        "sed",
        "awk",
        "gawk",
        "mawk",
        "perl",
        "sh",
        "bash",
        "zsh",
        "dash",
        "ksh",
        "fish",
        "csh",
        "tcsh",
        "env",
        "xargs",
        "eval",
        "exec",
        "sudo",
        "doas",
        "su",
        "curl",
        "wget",
        "nc",
        "ncat",
        "netcat",
        "socat",
        "telnet",
        "ssh",
        "scp",
        "sftp",
        "ftp",
        "kill",
        "killall",
        "chown",
        "chgrp",
        "mount",
        "umount",
        "mkfs",
        "fdisk",
        "crontab",
        "at",
        "systemctl",
        "service",
        "docker",
        "podman",
        "nohup",
        "nice",
        "setsid",
        "stdbuf",
        "script",
        "strace",
        "busybox",
        "vi",
        "vim",
        "nano",
        "emacs",
        "less",
        "more",
        "man",
        "ed",
        "ex",
        "tar",
        "zip",
        "unzip",
        "gzip",
        "make",
        "parallel",
        "watch",
        "chroot",
        "unshare",
        "nsenter",
        "ionice",
        "taskset",
        "flock",
        "touch",
        "osascript",
        "open",
        "xdg-open",
        "powershell",
        "pwsh",
        "cmd",
        "lua",
        "tclsh",
        "gdb",
    ]
)
"""Programs of the system that are not on the lists, whoever starts them."""

REMOVERS = frozenset(
    {"rimraf", "del", "del-cli", "trash", "trash-cli", "shx", "shelljs", "rm-cli", "renamer", "move-cli"}
)


class Launcher(NamedTuple):
    words: tuple[str, ...]
    """What stands between the manager and the program: `uv run`, `pnpm exec`."""
    values: frozenset[str] = frozenset()
    """Options before the program that take a value."""


def _launcher(words: str, values: str = "") -> Launcher:
    return Launcher(tuple(words.split()), frozenset(values.split()))


_LAUNCHERS: dict[str, tuple[Launcher, ...]] = {
    "npx": (_launcher("", "-p --package -w --workspace --userconfig --registry"),),
    "bunx": (_launcher("", "-p --package"),),
    "bun": (_launcher("x", "-p --package"), _launcher("exec")),
    "npm": (_launcher("exec", "-p --package -w --workspace"), _launcher("x", "-p --package -w --workspace")),
    "pnpm": (_launcher("exec", "-C --dir --filter -F"), _launcher("dlx", "--package")),
    "yarn": (_launcher("exec"), _launcher("dlx", "-p --package")),
    "uv": (
        _launcher(
            "run",
            "--with --with-editable --with-requirements --extra --group --only-group --no-group --no-extra --env-file "
            "-p --python --directory --project --package --index --index-url -i --default-index",
        ),
        _launcher("tool run", "--from --with -p --python --index"),
    ),
    "poetry": (_launcher("run"),),
    "pdm": (_launcher("run", "-p --project"),),
    "hatch": (_launcher("run"),),
    "pipx": (_launcher("run", "--spec --python --pip-args"),),
    "conda": (_launcher("run", "-n --name -p --prefix --cwd"),),
    "bundle": (_launcher("exec"),),
    "bundler": (_launcher("exec"),),
    "gem": (_launcher("exec", "-v --version"),),
    "composer": (_launcher("exec"),),
    "rustup": (_launcher("run"),),
    "symfony": (_launcher("run"),),
    "tox": (_launcher("exec", "-e"),),
}


def launched(name: str, args: list[Arg]) -> list[Arg] | None:
    """The words of the program that would be started, or None where the command starts none."""
    for launcher in _LAUNCHERS.get(name, ()):
        texts = tuple(arg.text for arg in args[: len(launcher.words)])
        if texts != launcher.words:
            continue
        at = len(launcher.words)
        while at < len(args) and (args[at].text or "").startswith("-") and args[at].text not in ("-", "--"):
            at += 2 if args[at].text in launcher.values else 1
        if at < len(args) and args[at].text == "--":
            at += 1
        if name == "rustup":
            at += 1
        return args[at:]
    return None


def is_system_program(name: str) -> bool:
    return name.rpartition("/")[2] in _SYSTEM
