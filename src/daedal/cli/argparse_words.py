"""How is what argparse says by itself said in another language? Its own sentences are English ones of the catalogue.

It looks each of them up with `gettext`, under the name `_`. A sentence that another Python words differently stays as
it is.
"""

import argparse

from daedal.protocol.catalogue import say
from daedal.protocol.catalogue.en.cli.argparse import WORDS

NAMES = {sentence: key.rpartition(".")[2] for key, sentence in WORDS.items()}


def translate() -> None:
    """From now on argparse speaks as we do."""
    setattr(argparse, "_", _translated)  # noqa: B010 (it has no such name for type checkers)


def _translated(sentence: str) -> str:
    name = NAMES.get(sentence)
    return say(f"cli.argparse.{name}") if name else sentence
