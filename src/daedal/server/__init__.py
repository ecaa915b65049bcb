"""How is an engine served over the protocol? One hub for the clients of this process, one switchboard for all others.

What a client inside the process needs is loaded with the room; the rest of its names load when they are first used.
"""

from typing import TYPE_CHECKING

from daedal.protocol.rooms import loaded_when_used
from daedal.server.hub import Hub

if TYPE_CHECKING:
    from daedal.server.listening import Address, address_of, listen, token_in
    from daedal.server.schema import schemas
    from daedal.server.stdio import stdio_wire
    from daedal.server.switchboard import Switchboard

__all__ = ["Address", "Hub", "Switchboard", "address_of", "listen", "schemas", "stdio_wire", "token_in"]

_FILES = {
    "Address": "listening",
    "Switchboard": "switchboard",
    "address_of": "listening",
    "listen": "listening",
    "schemas": "schema",
    "stdio_wire": "stdio",
    "token_in": "listening",
}

__getattr__ = loaded_when_used(__name__, _FILES)
