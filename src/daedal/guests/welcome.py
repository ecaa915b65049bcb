"""How does our engine come to drive a guest? Its model and its tools are put in the place of ours."""

from collections.abc import Callable

from msgspec.structs import replace

from daedal.engine import Terms, ThreadHooks, World
from daedal.guests.gate import GuestGate
from daedal.guests.guest import Host
from daedal.guests.listening import ListeningFaces
from daedal.guests.provider import GuestProvider
from daedal.guests.seat import Seat
from daedal.guests.toolbox import GuestToolbox
from daedal.protocol.confinement import Confinement
from daedal.protocol.judging import Gate
from daedal.protocol.seams import Provider, Toolbox

NOTE = """\
You work inside Daedal, which judges every command and every file change of yours by rules of the user before it runs.
What is refused is refused with its reason: do not try the same thing another way, but do what the reason says, or go
on without it. Nobody but the user can widen the rules."""
"""What a guest is told beside its own instructions."""


def hosting(world: World, host: Host, walls: Callable[[Terms], Confinement]) -> World:
    """The world as the engine needs it to have such a guest in every thread."""
    seats: dict[str, Seat] = {}
    newest: list[Seat] = []

    def connect(provider: str | None, model: str | None, effort: str | None) -> Provider:
        del effort  # A guest thinks as hard as its own settings say.
        # A session of another engine goes on here with a model of the guest's own choice: it does not know that one.
        return GuestProvider(host.card(model if provider in (None, host.name) else None), lambda: newest[0])

    def make_toolbox(terms: Terms) -> Toolbox:
        seat = seats[terms.thread_id] = Seat(host, world, terms, walls(terms), world.make_toolbox(terms))
        newest[:] = [seat]
        return GuestToolbox(seat, on_close=lambda: seats.pop(terms.thread_id, None))

    def make_gate(terms: Terms, hooks: ThreadHooks) -> Gate:
        if terms.is_read_only:  # How it runs commands is its own affair, so it runs none.
            terms = replace(terms, deny=[*terms.deny, "Bash"])
        return GuestGate(world.make_gate(terms, hooks), seats[terms.thread_id])

    return replace(
        world,
        guest=host.name,
        connect=connect,
        make_toolbox=make_toolbox,
        make_gate=make_gate,
        faces=ListeningFaces(world.faces, seats),
        settings=replace(world.settings, system_prompt=world.settings.system_prompt or NOTE),
    )
