"""At which bench is a call only looked at? It is carried out there up to the change itself, and no further."""

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from daedal.protocol.seams import Bench, PreImage

PREVIEW_BYTES_MAX = 2_097_152
"""Of all that is compared. Somebody waits for the answer, and nobody reads more than that on a card."""


class Looking:
    """A bench at which nothing is kept or changed."""

    def __init__(self, bench: Bench) -> None:
        self.thread_id = bench.thread_id
        self.tool_use_id = bench.tool_use_id
        self.workspace = bench.workspace
        self.cwd = bench.cwd
        self.phase = bench.phase
        self.is_by_hand = bench.is_by_hand
        self.is_let_out = True
        """Whoever is asked may let it out, and wants to know what for."""

    def watch(self) -> Callable[[int, bytes], object] | None:
        return None

    async def keep(self, image: PreImage) -> None:
        raise AssertionError(f"nothing is changed at this bench: {image.path}")


def is_small(paths: Sequence[str], arguments: Mapping[str, Any]) -> bool:
    """Whether it can be shown in no time."""
    length = sum(len(value) for value in arguments.values() if isinstance(value, str))
    for path in paths:
        try:
            length += os.stat(path).st_size
        except OSError:
            continue  # not there yet, or not for us; the tool says which
    return length <= PREVIEW_BYTES_MAX
