"""How does a specification become software while nobody watches? `daedal run`."""

from typing import TYPE_CHECKING

from daedal.cli.delivering import deliver
from daedal.cli.delivery_terms import OPTIONS as COMMON
from daedal.cli.options import NO_SANDBOX, Option, Options
from daedal.delivery import RUN

if TYPE_CHECKING:
    import argparse

OPTIONS = (
    *COMMON,
    NO_SANDBOX,
    Option(
        name="allow_destructive",
        flags=("-D", "--allow-destructive"),
        takes="nothing",
        help="cli.flag.allow_destructive",
    ),
)


def parser() -> "argparse.ArgumentParser":
    from daedal.cli.parsing import Parser, add_options

    parser = Parser("run")
    add_options(parser, OPTIONS)
    return parser


def run(options: Options) -> int:
    return deliver(RUN, options)
