"""What does a line of shell say it would run? Every simple command in it, wherever it hides, and what stays unknown."""

from msgspec import Struct


class Piece(Struct, frozen=True, kw_only=True):
    """A part of a word that only the shell can finish: known text, a plain variable, or neither."""

    text: str | None = None
    variable: str | None = None
    """The name in `$name`, `${name}` or `~` (HOME); with neither this nor `text`, the part is unknown."""
    is_quoted: bool = False
    """Quoted parts neither split into several words nor match files."""


class Word(Struct, frozen=True, kw_only=True):
    """One word of a command."""

    raw: str
    """As written, quotes included."""
    text: str | None
    """After quote removal; None where only the shell could know (variables, substitutions)."""
    is_pattern: bool = False
    """It has an unquoted `*`, `?` or `[`, so the shell may put other words in its place; `text` is the pattern."""
    pieces: tuple[Piece, ...] = ()
    """Only where `text` is None: what is known of it all the same."""


class Redirect(Struct, frozen=True, kw_only=True):
    operator: str
    """As written: `>`, `>>`, `>|`, `&>`, `<`, `<>`, `<<<`, `<<`, `>&`, …"""
    target: Word
    descriptor: int | None = None
    body: str | None = None
    """What a here-document (`<<`) hands to the command, as written."""

    @property
    def writes(self) -> bool:
        """Whether it may create or change what `target` names. Duplicating a descriptor (`2>&1`) does not."""
        if self.operator in (">&", "&>", "&>>"):
            return self.operator != ">&" or not (self.target.text or "x").lstrip("-").isdigit()
        return ">" in self.operator


class Command(Struct, frozen=True, kw_only=True):
    """One simple command: `words[0]` is the program. Assignments or redirects alone have no words."""

    words: list[Word]
    assignments: list[tuple[str, Word]] = []
    redirects: list[Redirect] = []
    within: tuple[str, ...] = ()
    """What surrounds it, outermost first: `pipe`, `subshell`, `substitution`, `loop`, `background`, `wrapper:env`, …"""
    scope: tuple[int, ...] = ()
    """Which subshells it runs in, outermost first, each with its own number: a `cd` holds only there."""
    joined: str = ";"
    """How it follows what stands before it: `&&`, `||`, or `;` for everything else."""
    chain: int = 0
    """The number of the list (`a && b || c`) that it is part of."""
    follows: int = 0
    """The number of the list that `joined` speaks of: the surrounding one for the first command of a group."""


class Script(Struct, frozen=True, kw_only=True):
    commands: list[Command]
    """Every simple command in reading order: in chains, pipes, groups, loops and substitutions, and those that a
    wrapper (`env`, `xargs`, `sh -c`, `find -exec`, …) would start, after the wrapper itself."""
    doubts: list[str] = []
    """What is not understood, in words for a person. With any doubt, no allow rule covers the line."""
