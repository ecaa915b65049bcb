"""Which processes may be ended? Only those that a profile or the user names, by their exact name."""

import re

from daedal.permissions.guard.call import Call
from daedal.permissions.guard.refusal import Refused, Rule

_SIGNAL = re.compile(r"-([0-9]{1,2}|(SIG)?[A-Z][A-Z0-9]{1,7})")
_FLAGS = frozenset({"-x", "-e", "--exact", "--echo"})


def check_pkill(call: Call) -> None:
    """`pkill NAME` with a signal at most. Flags that match command lines, users or parents would hit more."""
    targets: list[str | None] = []
    args = iter(call.args)
    for arg in args:
        text = arg.text or ""
        if arg.is_pattern:
            raise _refused(call, arg.raw)
        if text in ("--signal", "-s"):
            next(args, None)
        elif text in _FLAGS or _SIGNAL.fullmatch(text) or text.startswith("--signal=") or text == "--":
            continue
        elif text.startswith("-"):
            raise Refused(Rule.PKILL, f"pkill {arg.raw} may end more than the named process. Use `pkill NAME`.")
        else:
            targets.append(arg.text)
    if len(targets) != 1 or targets[0] not in call.ground.pkill_targets:
        raise _refused(call, " ".join(target or "?" for target in targets))


def _refused(call: Call, shown: str) -> Refused:
    names = ", ".join(sorted(call.ground.pkill_targets)) or "none"
    return Refused(Rule.PKILL, f"pkill may not end {shown!r}. It may end exactly one of: {names}.")
