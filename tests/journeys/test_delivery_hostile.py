"""What if the project that is delivered was prepared by a stranger? Its links show nobody what lies behind them."""

from pathlib import Path

import pytest

from tests.journeys.delivering import Agent, bash, board, create, deliver, prepared, write
from tests.toolbox.model_server import say
from tests.toolbox.program import Daedal

SECRET = "plain-words-that-are-nobody-elses"


@pytest.fixture
def project(daedal: Daedal) -> Daedal:
    prepared(daedal)
    (daedal.workspace / ".daedal").mkdir(exist_ok=True)
    (daedal.home / "diary.md").write_text(SECRET)
    return daedal


def copies(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file() and not path.is_symlink() and SECRET in _text(path)]


def _text(path: Path) -> str:
    return path.read_bytes().decode("utf-8", "replace")


def test_a_look_at_a_linked_board_copies_nothing_of_what_it_leads_to(project: Daedal):
    (project.workspace / ".daedal" / "status.json").symlink_to(project.home / "diary.md")
    looked = project("status")
    assert looked.code == 2
    assert "status.json is a link" in looked.err
    assert copies(project.workspace) == []


def test_a_look_through_a_linked_folder_writes_nothing_there(project: Daedal):
    elsewhere = project.root / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "status.json").write_text("no board")
    (project.workspace / ".daedal").rmdir()
    (project.workspace / ".daedal").symlink_to(elsewhere)
    looked = project("status")
    assert looked.code == 2
    assert [path.name for path in elsewhere.iterdir()] == ["status.json"]


def test_an_instruction_that_leads_out_of_the_project_is_not_read(project: Daedal, model):
    (project.workspace / ".daedal" / "initializer.md").symlink_to(project.home / "diary.md")
    server = model(Agent([create("CORE-001"), say("Done.")]))
    done = deliver(project, "--max-iterations", "1")
    assert done.code == 2, done.out
    assert "initializer.md is a link" in done.err
    assert all(SECRET not in request.body.decode() for request in server.requests)


def test_an_instruction_that_is_linked_within_the_project_is_read(project: Daedal, model):
    (project.workspace / "ours.md").write_text("Plan it our way.")
    (project.workspace / ".daedal" / "initializer.md").symlink_to("../ours.md")
    agent = Agent([create("CORE-001"), say("Done.")])
    model(agent)
    deliver(project, "--max-iterations", "1")
    assert "Plan it our way." in agent.told(0)


@pytest.mark.parametrize("is_planned", [True, False])
def test_a_board_that_becomes_a_link_is_put_back_and_nothing_passes_through_it(
    project: Daedal, model, is_planned: bool
):
    path, diary = ".daedal/status.json", str(project.home / "diary.md")
    swap = f"import os\nif os.path.exists({path!r}):\n    os.unlink({path!r})\nos.symlink({diary!r}, {path!r})\n"
    swapping = [write("swap.py", swap), bash("python3 swap.py")]
    planning = [create("CORE-001"), *swapping] if is_planned else [*swapping, create("CORE-001")]
    model(Agent([*planning, create("CORE-002"), say("Done.")]))
    done = deliver(project, "--no-sandbox", "--max-iterations", "1")
    assert board(project) == {"CORE-001": "pending", "CORE-002": "pending"}, done.out + done.err
    assert not (project.workspace / ".daedal" / "status.json").is_symlink()
    assert (project.home / "diary.md").read_text() == SECRET
    assert copies(project.workspace) == []
