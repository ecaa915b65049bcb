"""Does existing code do what the specification asks for? `daedal sync`, which changes none of it."""

from typing import TYPE_CHECKING

from daedal.cli.delivering import deliver
from daedal.cli.delivery_terms import OPTIONS
from daedal.cli.options import Options
from daedal.delivery import SYNC

if TYPE_CHECKING:
    import argparse


def parser() -> "argparse.ArgumentParser":
    from daedal.cli.parsing import Parser, add_options

    parser = Parser("sync")
    add_options(parser, OPTIONS)
    return parser


def run(options: Options) -> int:
    return deliver(SYNC, options)
