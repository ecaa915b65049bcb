"""How does it look at a glance? For each bar, how much of the allowance is used."""

from collections.abc import Sequence
from pathlib import Path

import matplotlib as mpl
from matplotlib.figure import Figure

from bench.figures import Measured, Verdict, verdict
from bench.report import bar_words, ratio_words

GOOD, BAD, LINE = "#2f7d6d", "#b5483a", "#333333"
ROOM = 0.25

Line = tuple[Measured, Verdict]


def draw(measured: Sequence[Measured], target: Path) -> None:
    lines: list[Line] = [(one, verdict(one, bar)) for one in measured for bar in one.bars]
    lines = [(one, judged) for one, judged in lines if judged.share is not None]
    # Text stays text, ids follow from the content and no date is written, so equal results make equal files.
    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": "daedal", "font.family": "sans-serif"}):
        picture = _picture(lines)
        picture.savefig(target, format="svg", metadata={"Date": None, "Creator": None})
    target.write_text("\n".join(line.rstrip() for line in target.read_text().splitlines()) + "\n")


def _picture(lines: list[Line]) -> Figure:
    picture = Figure(figsize=(9, 1.2 + 0.5 * len(lines)), layout="constrained")
    picture.get_layout_engine().set(w_pad=0.12, h_pad=0.08)
    axes = picture.add_subplot()
    shares = [max(judged.share or 0.0, 0.0) for _, judged in lines]
    places = list(range(len(lines)))
    axes.barh(places, shares, height=0.6, color=[GOOD if judged.met else BAD for _, judged in lines])
    axes.axvline(1, color=LINE, linewidth=1.2, linestyle="--")
    axes.text(1, -0.75, "at most", ha="center", va="bottom", color=LINE, fontsize=9)
    for place, share, (one, judged) in zip(places, shares, lines, strict=True):
        # Inside the bar where there is room, so that no label lies on the line.
        inside = share >= ROOM
        axes.text(
            min(share, 1) - 0.012 if inside else share + 0.012,
            place,
            ratio_words(judged, one.unit),
            ha="right" if inside else "left",
            va="center",
            fontsize=9,
            color="white" if inside else LINE,
        )
    labels = [f"{one.title}\nat most {bar_words(judged.bar, one.unit)}" for one, judged in lines]
    axes.set_yticks(places, labels, fontsize=9)
    axes.set_ylim(len(lines) - 0.4, -0.8)
    axes.set_xlim(0, max([1.1, *(share * 1.05 for share in shares)]))
    axes.xaxis.set_major_formatter(lambda share, _: f"{share:.0%}")
    axes.set_xlabel("used of what is allowed (shorter is better)", fontsize=9)
    axes.spines[["top", "right"]].set_visible(False)
    return picture
