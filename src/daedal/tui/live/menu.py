"""What is offered while a prompt is written? A list below the composer, which stays where the keys go."""

from msgspec import Struct

from daedal.tui.terminal.visible import flat
from daedal.tui.terminal.widths import Row, cut, cut_row, padded, width

ROWS_MAX = 8
NAMES_MAX = 36


class Offer(Struct, frozen=True):
    text: str
    """What it writes in place of what was typed."""
    about: str = ""
    label: str = ""
    """How it is listed; the text where this is empty."""
    goes_on: bool = False
    """More can follow, as inside of a folder: the menu stays."""


class Menu:
    """Offers for the part of the text between `start` and `end`."""

    def __init__(self, offers: list[Offer], start: int, end: int) -> None:
        self.offers = offers
        self.start = start
        self.end = end
        self.chosen = 0

    @property
    def offer(self) -> Offer:
        return self.offers[self.chosen]

    def move(self, step: int) -> None:
        self.chosen = (self.chosen + step) % len(self.offers)

    def narrowed(self, typed: str, end: int) -> "Menu | None":
        """The same after more was typed, as long as nobody has offered anything else; None where nothing fits."""
        found = fuzzy(typed, [offer.label or offer.text for offer in self.offers])
        return Menu([self.offers[number] for number in found], self.start, end) if found else None

    def rows(self, columns: int, rows_max: int = ROWS_MAX) -> list[Row]:
        first = max(0, min(self.chosen - rows_max // 2, len(self.offers) - rows_max))
        shown = self.offers[first : first + rows_max]
        names = min(max(width(flat(offer.label or offer.text)) for offer in shown), NAMES_MAX)
        rows: list[Row] = []
        for number, offer in enumerate(shown, first):
            is_chosen = number == self.chosen
            name = padded(cut(flat(offer.label or offer.text), names), names)
            style = "chosen" if is_chosen else ""
            rows.append(
                cut_row(
                    [
                        (style, f"{'❯' if is_chosen else ' '} {name}  "),
                        ("" if is_chosen else "quiet", flat(offer.about)),
                    ],
                    columns,
                )
            )
        hidden = len(self.offers) - len(shown)
        if hidden:
            rows.append([("quiet", f"  {self.chosen + 1}/{len(self.offers)}")])
        return rows


def fuzzy(query: str, names: list[str]) -> list[int]:
    """Which names have the letters of the query in this order, the best first."""
    if not query:
        return list(range(len(names)))
    query = query.lower()
    found: list[tuple[int, int, int]] = []
    for number, name in enumerate(names):
        score = _score(query, name.lower())
        if score is not None:
            found.append((score, len(name), number))
    return [number for _, _, number in sorted(found)]


def _score(query: str, name: str) -> int | None:
    """Less is better: letters at once and near the beginning."""
    if name.startswith(query):
        return 0
    if query in name:
        return 1 + name.index(query)
    at, gaps = -1, 0
    for letter in query:
        found = name.find(letter, at + 1)
        if found < 0:
            return None
        gaps += found - at - 1
        at = found
    return 100 + gaps
