from bench.figures import BEST_PEER, FLOOR, Bar, Measured, Sample, verdict
from bench.report import page


def _at(value: float) -> Sample:
    return Sample(value, value, value, 1)


def _steps(**values: float) -> Measured:
    samples = {name: _at(value) for name, value in values.items()}
    return Measured("tool step", "ms", "What a step costs.", samples, (Bar(3.0, FLOOR), Bar(0.4, BEST_PEER)))


def test_the_best_peer_is_the_fastest_one_that_was_measured() -> None:
    judged = verdict(_steps(daedal=10, floor=5, codex=40, claude=20), Bar(0.4, BEST_PEER))
    assert (judged.rival, judged.value, judged.met) == ("claude", 0.5, False)


def test_a_bar_against_somebody_absent_is_neither_met_nor_missed() -> None:
    assert verdict(_steps(daedal=10, floor=5), Bar(0.4, BEST_PEER)).met is None
    assert verdict(_steps(floor=5), Bar(3.0, FLOOR)).met is None


def test_a_figure_that_cannot_be_meets_no_bar() -> None:
    assert verdict(_steps(daedal=-3, floor=5), Bar(3.0, FLOOR)).met is None


def test_the_page_has_a_line_per_bar_and_names_who_is_missing() -> None:
    told = page([_steps(daedal=10, floor=5, codex=40)], [], [], ["claude"], complete=False)
    assert "| tool step | 10 ms | 5.00 ms | 40 ms | – | 2.00 × floor | 3 × floor | yes |" in told
    assert "|  |  |  |  |  | 0.25 × codex | 0.4 × the best peer | yes |" in told
    assert "Not installed here, so not compared: claude." in told
