"""What is told when a command made something that steers an agent or git, and it was moved aside?"""

from collections.abc import Sequence

from msgspec.structs import replace

from daedal.protocol.seams import Outcome
from daedal.sandbox import Moved


def told_of_moved(outcome: Outcome, moved: Sequence[Moved]) -> Outcome:
    """The outcome as a failure, so that the person reads it too, with what was moved before all that was printed."""
    if not moved:
        return outcome
    places = "; ".join(
        f"{found.path} was moved to {found.aside}" if found.aside else f"{found.path} could not be moved aside"
        for found in moved
    )
    note = (
        f"[sandbox] A command made what steers an agent or git, which only a person may allow: {places}."
        " Write such files with a file tool, so that the user is asked, or leave them alone."
    )
    return replace(outcome, content=f"{note}\n{outcome.content}", is_error=True, exit_code=None)
