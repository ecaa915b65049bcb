"""What does a check of one program get to see?"""

from typing import NamedTuple

from daedal.permissions.guard.arguments import Arg
from daedal.permissions.guard.places import Places, Zone
from daedal.permissions.guard.refusal import Refused, Rule, unknown_path
from daedal.permissions.shell import Command


class Ground(NamedTuple):
    """What holds for the whole line."""

    places: Places
    is_sync: bool
    allow_destructive: bool
    listed: frozenset[str]
    pkill_targets: frozenset[str]
    names_state: bool
    """Whether any word of the line names the state folder."""
    feeds_groups: bool
    """Whether the line hands text to a group, a loop or a subshell as a whole."""


class Call(NamedTuple):
    """One command with its words as the program would get them."""

    name: str
    args: list[Arg]
    """Without the program itself."""
    cwds: frozenset[str]
    ground: Ground
    command: Command

    def paths(self, arg: Arg) -> list[str]:
        """Where the word leads, from each folder that the command may run in."""
        if arg.text is None:
            raise unknown_path(arg.raw)
        return [self.ground.places.absolute(arg.text, cwd) for cwd in self.cwds]

    def zones(self, arg: Arg) -> set[Zone]:
        return {self.ground.places.zone(path, is_pattern=arg.is_pattern) for path in self.paths(arg)}


def check_write(call: Call, arg: Arg) -> None:
    """Refuses unless the word leads to where this profile may write."""
    if arg.is_pattern and ".." in (arg.text or "").split("/"):
        raise unknown_path(arg.raw)
    for zone in call.zones(arg):
        refuse_write(zone, arg.raw, is_sync=call.ground.is_sync)


def refuse_write(zone: Zone, shown: str, *, is_sync: bool) -> None:
    match zone:
        case Zone.STATE:
            raise Refused(
                Rule.STATE,
                f"{shown} lies in .daedal/, which only Daedal writes. Report progress with the deliverable tools; "
                "notes go into .daedal-note.md.",
            )
        case Zone.STEERING:
            raise Refused(Rule.STEERING, f"{shown} steers the agent or git, and may not be changed unattended.")
        case Zone.OUTSIDE:
            raise Refused(
                Rule.OUTSIDE, f"{shown} lies outside the project and /tmp. Write inside the project or below /tmp."
            )
        case Zone.PROJECT if is_sync:
            raise Refused(
                Rule.READ_ONLY,
                f"{shown} is part of the project, which is read-only while verifying. Only .daedal-note.md and /tmp "
                "may be written.",
            )
        case _:
            return
