"""What came out of a measurement, and is it good enough? Samples, bars, and the verdict on each bar."""

import statistics
from dataclasses import dataclass, field

OURS = "daedal"
FLOOR = "floor"
PEERS = ("codex", "claude")
BEST_PEER = "the best peer"


@dataclass(frozen=True, slots=True)
class Sample:
    median: float
    low: float
    """The lower quartile."""
    high: float
    """The upper quartile."""
    count: int


def sample(values: list[float]) -> Sample:
    if len(values) < 2:
        return Sample(values[0], values[0], values[0], len(values))
    low, middle, high = statistics.quantiles(values, n=4, method="inclusive")
    return Sample(middle, low, high, len(values))


@dataclass(frozen=True, slots=True)
class Bar:
    limit: float
    against: str | None = None
    """The contestant that the limit is a multiple of; None when the limit is in the measure's own unit."""


@dataclass(frozen=True, slots=True)
class Measured:
    title: str
    unit: str
    about: str
    """One sentence for the reader of the report."""
    samples: dict[str, Sample]
    bars: tuple[Bar, ...] = ()
    failures: dict[str, str] = field(default_factory=dict)
    others_share: float | None = None
    """How much of the machine was busy with something else meanwhile; None where nobody can tell."""
    can_be_less: bool = False
    """It compares two ways of doing something, and the first may really be the quicker one."""


@dataclass(frozen=True, slots=True)
class Extra:
    """Something worth knowing that has no bar, in Markdown."""

    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Verdict:
    bar: Bar
    rival: str | None
    """Whom the bar turned out to mean: the best peer has a name."""
    value: float | None
    """Our figure as the bar counts it; None when it could not be had."""

    @property
    def met(self) -> bool | None:
        return None if self.value is None else self.value <= self.bar.limit

    @property
    def share(self) -> float | None:
        """How much of the allowance is used: 1 is just met."""
        return None if self.value is None else self.value / self.bar.limit


def verdict(measured: Measured, bar: Bar) -> Verdict:
    ours = measured.samples.get(OURS)
    if ours is not None and ours.median <= 0 and not measured.can_be_less:
        # Nothing takes less than no time: a difference got lost in the noise, and that meets no bar.
        return Verdict(bar, None, None)
    if bar.against is None:
        return Verdict(bar, None, ours.median if ours else None)
    rival = _best_peer(measured) if bar.against == BEST_PEER else bar.against
    theirs = measured.samples.get(rival) if rival else None
    if ours is None or theirs is None or theirs.median <= 0:
        return Verdict(bar, rival, None)
    return Verdict(bar, rival, ours.median / theirs.median)


def _best_peer(measured: Measured) -> str | None:
    present = [name for name in PEERS if name in measured.samples]
    return min(present, key=lambda name: measured.samples[name].median, default=None)
