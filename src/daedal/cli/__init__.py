"""How does a person come in by the command line? One file per command: parse, call, print."""


def main() -> int:
    """The `daedal` command."""
    return 0
