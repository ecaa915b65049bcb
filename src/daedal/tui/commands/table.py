"""What is each slash command called, what does it take, and where is it? Menus, help and docs are made from this.

A command is a line here and a file of the same name beside it (dashes become underscores) with

    async def run(face: Face, arguments: str) -> None

and, where `completes`, also `async def complete(face: Face, arguments: str) -> list[Offer]`: what could stand in place
of the arguments typed so far. Its sentences stand in the catalogue's `tui/<file>.py`: `tui.<file>.about` is the help.
"""

from difflib import get_close_matches

from msgspec import Struct

from daedal.protocol.catalogue import say


class Slash(Struct, frozen=True, kw_only=True):
    name: str
    takes: str = ""
    """The arguments as help shows them: `[model]`."""
    aliases: tuple[str, ...] = ()
    completes: bool = False
    when_busy: bool = True
    """Whether it may run while the model works."""
    is_hidden: bool = False
    """Reached by a key rather than by its name."""
    group: str = "settings"
    """Under what it is found in the help: one of `GROUPS`."""

    @property
    def file(self) -> str:
        return self.name.replace("-", "_")

    @property
    def about(self) -> str:
        return say(f"tui.{self.file}.about")


GROUPS = ("session", "work", "settings", "help")
"""In this order help has them."""

COMMANDS: tuple[Slash, ...] = (
    Slash(name="help", takes="[command]", completes=True, group="help"),
    Slash(name="model", takes="[model] [effort]", completes=True),
    Slash(name="clear", aliases=("reset", "new"), when_busy=False, group="session"),
    Slash(name="resume", takes="[words]", aliases=("sessions",), completes=True, when_busy=False, group="session"),
    Slash(name="rename", takes="[name]", group="session"),
    Slash(name="fork", aliases=("branch",), when_busy=False, group="session"),
    Slash(name="rewind", takes="[words]", when_busy=False, group="session"),
    Slash(name="undo", when_busy=False, group="session"),
    Slash(name="export", takes="[format] [file]", completes=True, group="session"),
    Slash(name="copy", takes="[number]", completes=True, group="session"),
    Slash(name="init", takes="[wishes]", when_busy=False, group="work"),
    Slash(name="review", takes="[what]", completes=True, when_busy=False, group="work"),
    Slash(name="plan", takes="[on|off|show|prompt]", completes=True, group="work"),
    Slash(name="todos", group="work"),
    Slash(name="diff", takes="[session|git]", completes=True, group="work"),
    Slash(name="effort", takes="[level]", completes=True),
    Slash(name="status"),
    Slash(name="config", takes="[key] [value]", aliases=("settings",), completes=True),
    Slash(name="context"),
    Slash(name="cost", aliases=("usage",)),
    Slash(name="compact", takes="[focus]", when_busy=False),
    Slash(name="goal", takes="[objective | pause | resume | check | clear]", completes=True),
    Slash(name="login", takes="[provider] [device]", completes=True),
    Slash(name="logout", takes="[provider]"),
    Slash(name="permissions", takes="[add | remove | why]", completes=True),
    Slash(name="hooks"),
    Slash(name="mcp", takes="[server | accept | reconnect | login]", completes=True),
    Slash(name="agents", takes="[name]", completes=True),
    Slash(name="skills", takes="[name]", completes=True),
    Slash(name="memory", takes="[search | show | edit | forget]", completes=True),
    Slash(name="trust", takes="[revoke]", completes=True),
    Slash(name="doctor"),
    Slash(name="transcript", group="session"),
    Slash(name="keys", group="help"),
    Slash(name="report", group="help"),
    Slash(name="theme", takes="[name]", completes=True),
    Slash(name="vim"),
    Slash(name="exit", aliases=("quit",), group="session"),
)


def find(name: str) -> Slash | None:
    return next((slash for slash in COMMANDS if name == slash.name or name in slash.aliases), None)


def nearest(name: str, others: list[str]) -> str | None:
    """What was probably meant."""
    known = [*(each for slash in COMMANDS for each in (slash.name, *slash.aliases)), *others]
    return next(iter(get_close_matches(name, known, n=1, cutoff=0.5)), None)
