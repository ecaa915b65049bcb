"""Which programs start other programs, and where on their command line does the other one begin?"""

from typing import NamedTuple


class Wrapper(NamedTuple):
    """How to find the inner command. An option in none of the lists means that nobody knows where it begins."""

    values: frozenset[str] = frozenset()
    """Options that take a value, as the next word or attached."""
    flags: frozenset[str] = frozenset()
    skip: int = 0
    """Words before the inner command that are neither options nor part of it: a duration, a host, a lock file."""
    texts: frozenset[str] = frozenset()
    """Options whose value is shell text."""
    takes_assignments: bool = False
    joins: bool = False
    """The remaining words are put together and read by a shell."""


def _wrapper(
    values: str = "",
    flags: str = "",
    *,
    skip: int = 0,
    texts: str = "",
    takes_assignments: bool = False,
    joins: bool = False,
) -> Wrapper:
    return Wrapper(
        values=frozenset(values.split()),
        flags=frozenset(flags.split()),
        skip=skip,
        texts=frozenset(texts.split()),
        takes_assignments=takes_assignments,
        joins=joins,
    )


_SHELL = _wrapper(
    "-o +o -O +O --rcfile --init-file",
    "-a -b -e -f -h -i -k -l -m -n -p -r -s -t -u -v -x -B -C -E -H -P -T -D +e +x +u "
    "--login --norc --noprofile --posix --restricted --verbose --noediting",
    texts="-c",
)

WRAPPERS: dict[str, Wrapper] = {
    "env": _wrapper(
        "-u --unset -C --chdir",
        "-i --ignore-environment -0 --null -v --debug -",
        takes_assignments=True,
    ),
    "xargs": _wrapper(
        "-a -d -E -I -L -n -P -s --arg-file --delimiter --max-args --max-chars --max-procs --process-slot-var",
        "-0 -r -t -p -x -o -i -l -e --null --no-run-if-empty --verbose --interactive --exit --open-tty "
        "--show-limits --eof --replace --max-lines",
    ),
    "timeout": _wrapper("-k --kill-after -s --signal", "-v -p -f --verbose --preserve-status --foreground", skip=1),
    "gtimeout": _wrapper("-k --kill-after -s --signal", "-v --verbose --preserve-status --foreground", skip=1),
    "nohup": _wrapper(),
    "nice": _wrapper("-n --adjustment"),
    "ionice": _wrapper("-c -n --class --classdata", "-t --ignore"),
    "setsid": _wrapper(flags="-c -f -w --ctty --fork --wait"),
    "stdbuf": _wrapper("-i -o -e --input --output --error"),
    "time": _wrapper("-f -o --format --output", "-a -p -v -q --append --portability --verbose --quiet"),
    "sudo": _wrapper(
        "-u -g -h -p -C -r -t -T -U -D -R --user --group --host --prompt --close-from --role --type "
        "--command-timeout --other-user --chdir --chroot",
        "-A -b -E -H -i -k -n -P -S -s --askpass --background --preserve-env --set-home --login "
        "--non-interactive --preserve-groups --stdin --shell --reset-timestamp",
        takes_assignments=True,
    ),
    "doas": _wrapper("-u -C", "-n -s -L"),
    "exec": _wrapper("-a", "-c -l"),
    "command": _wrapper(flags="-p"),
    "builtin": _wrapper(),
    "eval": _wrapper(joins=True),
    "watch": _wrapper(
        "-n --interval",
        "-b -c -d -e -g -p -t -x -w --beep --color --differences --errexit --chgexit --precise --no-title --exec",
        joins=True,
    ),
    "script": _wrapper(
        "-I -O -B -E -m -o -T -t", "-a -e -f -q --append --return --flush --quiet", skip=1, texts="-c --command"
    ),
    "flock": _wrapper(
        "-w -E --timeout --conflict-exit-code --wait",
        "-s -x -e -u -n -o -F --shared --exclusive --unlock --nonblock --nb --close --no-fork --verbose",
        skip=1,
        texts="-c --command",
    ),
    "chroot": _wrapper("--userspec --groups", "--skip-chdir", skip=1),
    "unshare": _wrapper(
        "-S -G -R -w --setuid --setgid --root --wd --map-user --map-group --propagation --setgroups",
        "-i -m -n -p -u -U -C -T -f -r -c --ipc --mount --net --pid --uts --user --cgroup --time --fork "
        "--map-root-user --map-current-user --mount-proc --kill-child --keep-caps",
    ),
    "ssh": _wrapper(
        "-b -c -D -E -e -F -I -i -J -L -l -m -O -p -Q -R -S -W -w",
        "-4 -6 -A -a -C -f -G -g -K -k -M -N -n -q -s -T -t -V -v -X -x -Y -y",
        skip=1,
        joins=True,
    ),
    "busybox": _wrapper(),
    "toybox": _wrapper(),
    "su": _wrapper(
        "-s -g -G -w --shell --group --supp-group",
        "- -l -m -p -f -P --login --preserve-environment --fast --pty",
        skip=1,
        texts="-c --command --session-command",
    ),
    "runuser": _wrapper(
        "-u -s -g -G -w --user --shell --group", "- -l -m -p -f -P --login --fast", texts="-c --command"
    ),
    "strace": _wrapper(
        "-e -o -s -u -E -a -b -I -O -P -S -X -U --output --trace --string-limit --user",
        "-c -C -d -f -F -i -k -n -q -r -t -T -v -w -x -y -z -Z -D -Y --follow-forks --summary",
    ),
    "ltrace": _wrapper(
        "-e -o -s -u -a -A -D -F -l -n -x -w --output --library",
        "-b -c -C -f -i -L -r -S -t -T",
    ),
    "xvfb-run": _wrapper(
        "-e -f -n -p -s -w --error-file --auth-file --server-num --xauth-protocol --server-args --wait",
        "-a -l --auto-servernum --listen-tcp",
    ),
    "dbus-run-session": _wrapper("--config-file --dbus-daemon"),
    "systemd-run": _wrapper(
        "-p -u -M -H -E --property --unit --slice --description --uid --gid --nice --working-directory "
        "--setenv --service-type --machine --host",
        "-t -P -G -q -r -d -S --user --system --scope --pty --pipe --wait --quiet --collect --no-block "
        "--remain-after-exit --same-dir --shell --no-ask-password",
    ),
    "nsenter": _wrapper(
        "-t -S -G --target --setuid --setgid",
        "-a -m -u -i -n -p -C -U -T -F -Z --all --mount --uts --ipc --net --pid --cgroup --user --time --no-fork "
        "--preserve-credentials",
    ),
    "taskset": _wrapper(flags="-a -c --all-tasks --cpu-list", skip=1),
    "chrt": _wrapper(
        "-T -P -D --sched-runtime --sched-period --sched-deadline",
        "-b -d -f -i -o -r -a -R -v --batch --deadline --fifo --idle --other --rr --all-tasks --verbose",
        skip=1,
    ),
    "rlwrap": _wrapper("-b -f -H -S -s -D -C -P", "-a -A -c -i -I -m -n -N -o -r -R -v"),
    "entr": _wrapper(flags="-a -c -d -n -p -r -s -x -z"),
    "setpriv": _wrapper(
        "--reuid --regid --groups --inh-caps --ambient-caps --bounding-set --securebits --pdeathsig",
        "--clear-groups --keep-groups --init-groups --no-new-privs --reset-env",
    ),
    "setarch": _wrapper(flags="-R -v -3 -B -F -I -L -S -T -X -Z", skip=1),
    "fakeroot": _wrapper("-l -f -s -i -b --lib --faked", "-u -h -v --unknown-is-real"),
    "unbuffer": _wrapper(flags="-p"),
    "caffeinate": _wrapper("-t -w", "-d -i -m -s -u"),
    "torsocks": _wrapper(),
    "proxychains": _wrapper("-f", "-q"),
    "proxychains4": _wrapper("-f", "-q"),
    "bash": _SHELL,
    "sh": _SHELL,
    "dash": _SHELL,
    "zsh": _SHELL,
    "ksh": _SHELL,
    "ash": _SHELL,
    "rbash": _SHELL,
    "mksh": _SHELL,
}

SHELLS = frozenset({"bash", "sh", "dash", "zsh", "ksh", "ash", "rbash", "mksh"})
OPAQUE = {
    "parallel": "GNU parallel starts commands that cannot be seen",
    "fish": "a shell of another language",
    "pwsh": "a shell of another language",
    "csh": "a shell of another language",
    "tcsh": "a shell of another language",
    "expect": "a program that drives others",
    "at": "a command for later",
    "batch": "a command for later",
    "crontab": "a command for later",
    "tmux": "a program that drives others",
    "screen": "a program that drives others",
    "bwrap": "a program that starts others",
    "firejail": "a program that starts others",
}
"""Programs that start others in ways that are not looked into."""
