"""How does a person come in by the command line? One file per command: parse, call, print."""

from daedal.cli.main import main

__all__ = ["main"]
