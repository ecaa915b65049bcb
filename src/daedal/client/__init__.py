"""How does one speak the protocol to a server, wherever it runs?"""

from daedal.client.connection import CallFailed, Client
from daedal.client.inprocess import pair

__all__ = ["CallFailed", "Client", "pair"]
