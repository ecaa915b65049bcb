"""Which options does a command have? Described once, and read here where a command line is spelled plainly.

argparse is built from the same description where it is needed: for help, mistakes, and rarer spellings such as `-pX`
or `--model=X`. To load and build it takes longer than all else between a plain `daedal exec` and its first request.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct

from daedal.protocol.catalogue import say
from daedal.protocol.verdict import Posture


class Options:
    """What a command line gives, by name."""

    def __init__(self, **given: Any) -> None:
        self.__dict__.update(given)

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...
        def __setattr__(self, name: str, value: Any) -> None: ...


class Option(Struct, frozen=True, kw_only=True):
    name: str
    """Under which it is found in `Options`."""
    flags: tuple[str, ...] = ()
    """None: an argument by position."""
    takes: Literal["value", "nothing", "maybe", "each"] = "value"
    """`maybe`: a value or none, and none counts as empty. `each`: may be given several times."""
    help: str
    """Its sentence in the catalogue."""
    metavar: str | None = None
    choices: tuple[str, ...] | None = None
    convert: Callable[[str], Any] | None = None
    """Raises ValueError with a sentence for the person."""
    default: Any = None


def read_plainly(options: Sequence[Option], words: Sequence[str]) -> Options | None:
    """What the words say; None where anything about them needs argparse to be understood, or to be complained about."""
    by_flag = {flag: option for option in options for flag in option.flags}
    positions = [option for option in options if not option.flags]
    given = {option.name: _untold(option) for option in options}
    rest = list(reversed(words))
    try:
        while rest:
            word = rest.pop()
            option = by_flag.get(word)
            if option is None:
                if _is_flag(word) or not positions:
                    return None
                option, value = positions.pop(0), word
            elif option.takes == "nothing":
                given[option.name] = True
                continue
            elif rest and not _is_flag(rest[-1]):
                value = rest.pop()
            elif option.takes == "maybe":
                value = ""
            else:
                return None
            if option.choices and value not in option.choices:
                return None
            told = option.convert(value) if option.convert else value
            given[option.name] = [*given[option.name], told] if option.takes == "each" else told
    except ValueError:
        return None
    return Options(**given)


def _untold(option: Option) -> Any:
    """What it is where the command line does not say."""
    match option.takes:
        case "nothing":
            return False
        case "each":
            return []
        case _:
            return option.default


def _is_flag(word: str) -> bool:
    """A lone dash is an argument."""
    return len(word) > 1 and word.startswith("-")


def whole_number(text: str) -> int:
    """1 or more."""
    try:
        number = int(text)
    except ValueError:
        number = 0
    if number < 1:
        raise ValueError(say("cli.not_whole_number", text=text))
    return number


def amount(text: str) -> float:
    """More than nothing, and not without end."""
    try:
        number = float(text)
    except ValueError:
        number = 0
    if not 0 < number < float("inf"):
        raise ValueError(say("cli.not_an_amount", text=text))
    return number


ENGINES = ("native", "codex", "claude")
ENGINE = Option(name="engine", flags=("--engine",), choices=ENGINES, default="native", help="cli.exec.engine")
PROJECT_FOLDER = Option(name="cd", flags=("-C", "--cd"), metavar="DIR", help="cli.flag.cd")
APPROVAL = Option(
    name="approval", flags=("--approval",), choices=("ask", "auto", "yolo", "never"), help="cli.flag.approval"
)
NO_SANDBOX = Option(name="no_sandbox", flags=("--no-sandbox",), takes="nothing", help="cli.flag.no_sandbox")
MODE = Option(
    name="permission_mode",
    flags=("--permission-mode",),
    choices=("default", "acceptEdits", "bypassPermissions", "plan", "dontAsk"),
    help="cli.flag.permission_mode",
)
ALLOW = Option(name="allow", flags=("--allow",), takes="each", metavar="RULE", help="cli.flag.allow")
DENY = Option(name="deny", flags=("--deny",), takes="each", metavar="RULE", help="cli.flag.deny")
GUARD = Option(name="guard", flags=("--guard",), choices=("run", "sync"), help="cli.flag.guard")
DESTRUCTIVE = Option(
    name="allow_destructive", flags=("--allow-destructive",), takes="nothing", help="cli.flag.allow_destructive"
)
PERMISSIONS = (APPROVAL, MODE, ALLOW, DENY, GUARD, DESTRUCTIVE, NO_SANDBOX)
"""Who decides what a run may do."""


def permissions_of(options: Options) -> dict[str, Any]:
    """What the options above say about a thread."""
    return {
        "approval_policy": Posture(options.approval) if options.approval else None,
        "permission_mode": options.permission_mode,
        "allow": options.allow,
        "deny": options.deny,
        "guard": options.guard,
        "allow_destructive": options.allow_destructive,
        "sandbox": "danger-full-access" if options.no_sandbox else None,
    }
