"""Does a screen look as it did? Its text is compared; a picture lies beside it for people.

`DAEDAL_SNAPSHOTS=write` keeps the screens as they are now.
"""

import os
from pathlib import Path

from daedal import __version__
from tests.tui.picture import svg
from tests.tui.screen import Screen

FOLDER = Path(__file__).parent / "snapshots"


def matches(screen: Screen, name: str, *, hiding: dict[str, str]) -> None:
    """`hiding`: what differs from run to run, and what stands for it. Of the same length, so that columns hold."""
    text = screen.text.replace(__version__, "0.0.0")
    for told, instead in hiding.items():
        text = text.replace(told, instead)
    text = "\n".join(line.rstrip() for line in text.split("\n")) + "\n"
    path = FOLDER / f"{name}.txt"
    if os.environ.get("DAEDAL_SNAPSHOTS") == "write":
        FOLDER.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
        path.with_suffix(".svg").write_text(svg(screen.display, name), "utf-8")
    assert text == path.read_text("utf-8")
