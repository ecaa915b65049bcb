"""May the line read from and write to where its redirections point?"""

from daedal.permissions.guard.arguments import Arg
from daedal.permissions.guard.call import Call, check_write
from daedal.permissions.guard.refusal import Refused, Rule
from daedal.permissions.shell import Redirect

_TEXT = frozenset({"<<", "<<-", "<<<"})


def check_redirect(call: Call, redirect: Redirect, target: Arg) -> None:
    if redirect.operator in _TEXT:
        return
    paths = call.paths(target) if target.text is not None else [target.known]
    if any(path.startswith(("/dev/tcp", "/dev/udp")) for path in paths):
        raise Refused(Rule.OUTSIDE, f"{target.raw} is a network connection of the shell. There is no network here.")
    if redirect.operator == "<&" or not redirect.writes:
        return
    if target.text is None or target.is_pattern:
        raise Refused(
            Rule.CONSTRUCT,
            f"where `{redirect.operator} {target.raw}` writes is only known to the shell. Write the path out.",
        )
    check_write(call, target)
