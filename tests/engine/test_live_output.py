"""Is what a running command prints shown as it came, without secrets, and not more of it than anybody reads?"""

import asyncio
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from daedal.engine.live_output import SIDE_BYTES_MAX, LiveOutput
from daedal.protocol.redaction import Redactor
from tests.toolbox.requirement import requirement

SECRETS = ["sk-secret-one", "sk-secret-one-longer", "ger-another-secret", "aaaaaaaab"]
REDACT = Redactor([(f"KEY{number}", value) for number, value in enumerate(SECRETS)])


class Screen:
    """Whoever looks on."""

    def __init__(self) -> None:
        self.deltas: list[str] = []

    def wants(self, thread_id: str, event: Any) -> bool:
        return True

    async def emit(self, thread_id: str, event: Any) -> None:
        self.deltas.append(event.delta)
        await asyncio.sleep(0)


def shown(chunks: list[tuple[int, bytes]], *, one_by_one: bool = False) -> list[str]:
    async def scenario() -> list[str]:
        screen = Screen()
        live = LiveOutput(screen, REDACT, thread_id="t", turn_id="u", item_id="i")
        for stream, chunk in chunks:
            live(stream, chunk)
            if one_by_one:
                await live.show(is_last=False)
        await live.close()
        return screen.deltas

    return asyncio.run(scenario())


@requirement("SD-07", "DX-10")
@given(st.lists(st.sampled_from([*SECRETS, "sk-", "a", "é", "secret", "\n", "x" * 20]), max_size=12), st.data())
def test_however_output_is_cut_into_pieces_it_reads_like_the_result(words: list[str], data: st.DataObject):
    whole = "".join(words)
    raw = whole.encode()
    cuts = sorted(data.draw(st.lists(st.integers(0, len(raw)), max_size=8)))
    pieces = [raw[start:end] for start, end in zip([0, *cuts], [*cuts, len(raw)], strict=True)]
    told = "".join(shown([(1, piece) for piece in pieces if piece], one_by_one=True))
    assert told == REDACT(whole)


def test_halves_of_a_character_wait_for_each_other_in_their_own_stream():
    first, second = "é".encode()[:1], "é".encode()[1:]
    assert "".join(shown([(1, first), (2, b"err "), (1, second)], one_by_one=True)) == "err é"


@requirement("SD-07")
def test_of_a_flood_the_beginning_and_the_end_are_shown_and_no_line_begins_in_the_middle():
    lines = b"".join(b"%06d sk-secret-one\n" % number for number in range(10_000))
    [told] = shown([(1, lines[start : start + 65_536]) for start in range(0, len(lines), 65_536)])
    assert len(told) < 3 * SIDE_BYTES_MAX
    assert told.startswith("000000 [REDACTED:KEY0]\n")
    assert told.endswith("009999 [REDACTED:KEY0]\n")
    head, gap, tail = told.partition("\n[… ")
    assert gap
    count, _, rest = tail.partition(" bytes are not shown …]\n")
    assert rest[:6].isdigit()
    assert "secret-one" not in rest
    assert int(count) + len(head.replace("[REDACTED:KEY0]", "sk-secret-one")) <= len(lines)
