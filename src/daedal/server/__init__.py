"""How is an engine served over the protocol? One hub for all clients, one connection for each."""

from daedal.server.hub import Hub

__all__ = ["Hub"]
