"""Which walls follow from the settings?"""

from pathlib import Path

import msgspec
import pytest

from daedal.protocol.confinement import Confinement, Network
from daedal.sandbox import SandboxSettings, confinement


def walls(folder: Path, *, unattended: bool = False, **said: object) -> Confinement:
    return confinement(
        msgspec.convert(said, SandboxSettings),
        workspace=str(folder / "ws"),
        home=str(folder / "home"),
        temp=str(folder / "temp"),
        unreadable=[str(folder / "ledger.db")],
        unattended=unattended,
        environment={"DATA": str(folder / "data")},
    )


def test_by_default_only_the_project_and_the_temporary_folder_are_written(tmp_path: Path):
    assert walls(tmp_path) == Confinement(
        workspace=f"{tmp_path}/ws",
        writable=[f"{tmp_path}/ws", f"{tmp_path}/temp"],
        unreadable=[f"{tmp_path}/ledger.db"],
    )


def test_an_unattended_run_cannot_write_its_own_state(tmp_path: Path):
    assert walls(tmp_path, unattended=True).read_only == [f"{tmp_path}/ws/.daedal"]


def test_paths_are_filled_in_and_without_links(tmp_path: Path):
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    said = walls(
        tmp_path,
        allow_write=["${DATA}/out", "build", str(tmp_path / "link"), "${NOWHERE}/x"],
        forbid_read=["~/.ssh", "${HOME}/.aws", "${NOWHERE:-/etc}/shadow", "../other"],
    )
    outside = [f"{tmp_path}/data/out", f"{tmp_path}/ws/build", f"{tmp_path}/real"]
    assert said.writable == [f"{tmp_path}/ws", *outside, f"{tmp_path}/temp"]
    closed = [f"{tmp_path}/home/.ssh", f"{tmp_path}/home/.aws", "/etc/shadow", f"{tmp_path}/other"]
    assert said.unreadable == [*closed, f"{tmp_path}/ledger.db"]


def test_another_root_takes_the_place_of_the_project(tmp_path: Path):
    said = walls(tmp_path, workspace_root=str(tmp_path / "root"), unattended=True)
    assert (said.workspace, said.writable[0]) == (f"{tmp_path}/root", f"{tmp_path}/root")
    assert said.read_only == [f"{tmp_path}/root/.daedal"]


@pytest.mark.parametrize(
    ("said", "network"),
    [(False, Network.OFF), (True, Network.ON), (["example.org"], Network.LISTED), ([], Network.OFF)],
)
def test_the_network_is_off_on_or_a_list(tmp_path: Path, said: object, network: Network):
    found = walls(tmp_path, network=said)
    assert (found.network, found.domains) == (network, said if isinstance(said, list) else [])


def test_what_widens_needs_trust_and_what_narrows_adds_up():
    extras = {
        field.name: field.type.__metadata__[0].extra  # type: ignore[attr-defined]
        for field in msgspec.structs.fields(SandboxSettings)
    }
    assert extras.pop("forbid_read") == {"additive": True}
    assert all(extra == {"trusted_only": True} for extra in extras.values())
