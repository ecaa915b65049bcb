"""How does a long paste stay out of the way? A few words stand for it until the prompt is sent."""

import os

from daedal.protocol.catalogue import say

LINES_MAX, LENGTH_MAX = 3, 400
"""A paste that is longer in either way is folded."""
IMAGES = (".png", ".jpg", ".jpeg", ".gif", ".webp")


class Pastes:
    """What stands for what, in one session."""

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}
        self._images: dict[str, str] = {}

    def fold(self, text: str) -> str:
        """What goes into the composer: the text itself where it is short, the path of an image as such."""
        if (path := _image(text)) is not None:
            mark = say("tui.pasted_image", number=len(self._images) + 1, name=os.path.basename(path))
            self._images[mark] = path
            return mark
        lines = text.count("\n") + 1
        if lines <= LINES_MAX and len(text) <= LENGTH_MAX:
            return text
        number = len(self._texts) + 1
        key = "tui.pasted_lines" if lines > 1 else "tui.pasted_letters"
        mark = say(key, lines=lines, letters=len(text), number=number)
        self._texts[mark] = text
        return mark

    def unfold(self, text: str) -> str:
        for mark, pasted in self._texts.items():
            text = text.replace(mark, pasted)
        return text

    def images_in(self, text: str) -> list[str]:
        """Paths of the images that the text mentions by their marks."""
        return [path for mark, path in self._images.items() if mark in text]

    def mark_before(self, text: str, at: int) -> int:
        """How long the mark is that ends here, so that it can be taken away as a whole; 0 where there is none."""
        for mark in (*self._texts, *self._images):
            if text.endswith(mark, 0, at):
                return len(mark)
        return 0


def _image(text: str) -> str | None:
    """The file that a terminal puts in where an image was dropped onto it."""
    path = text.strip().strip("'\"").replace("\\ ", " ").removeprefix("file://")
    if "\n" in path or not path.lower().endswith(IMAGES):
        return None
    path = os.path.expanduser(path)
    return path if os.path.isfile(path) else None
