"""Does the proof tell walls that hold from walls that do not?"""

import os
from pathlib import Path

from daedal.protocol.confinement import Confinement, Network
from daedal.sandbox import prove
from tests.toolbox.requirement import requirement


def states(folder: Path, **walls: object) -> dict[str, str]:
    (folder / "ws").mkdir(exist_ok=True)
    (folder / "home").mkdir(exist_ok=True)
    writable = [str(folder / "ws"), *walls.pop("writable", [])]  # type: ignore[misc]
    confinement = Confinement(workspace=str(folder / "ws"), writable=writable, **walls)  # type: ignore[arg-type]
    proofs = prove(confinement, home=str(folder / "home"))
    assert os.listdir(folder / "home") == []
    return {str(proof.wall): str(proof.state) for proof in proofs}


@requirement("DX-18")
def test_walls_that_hold_are_proven(tmp_path: Path):
    assert set(states(tmp_path).values()) == {"proven"}
    assert set(states(tmp_path, network=Network.LISTED, domains=["localhost"]).values()) == {"proven"}


def test_an_open_network_is_told_as_what_was_wanted(tmp_path: Path):
    found = states(tmp_path, network=Network.ON)
    assert {wall for wall, state in found.items() if state == "allowed"} == {"tcp", "udp"}
    assert {state for wall, state in found.items() if wall not in ("tcp", "udp")} == {"proven"}


def test_a_home_that_may_be_written_is_no_hole(tmp_path: Path):
    assert set(states(tmp_path, writable=[str(tmp_path)]).values()) == {"proven"}
