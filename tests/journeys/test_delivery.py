"""Does a specification become software while nobody watches? `daedal run`, with agents that do as they are told."""

import json
from typing import NamedTuple

import pytest

from tests.journeys.delivering import (
    TEST,
    Agent,
    board,
    built,
    claim,
    create,
    deliver,
    listing,
    plant,
    prepared,
    results,
)
from tests.toolbox.model_server import ModelServer, fail, say
from tests.toolbox.program import Daedal, Finished
from tests.toolbox.requirement import requirement


@pytest.fixture
def project(daedal: Daedal) -> Daedal:
    return prepared(daedal)


@requirement("AU-01", "AU-03", "AU-04", "AU-05", "AU-11", "AU-13")
def test_a_specification_becomes_software_deliverable_by_deliverable(project: Daedal, model):
    agent = Agent(
        [create("CORE-001", "CORE-002"), say("Planned.")],
        [*built("adding"), claim("CORE-001", TEST), say("One.")],
        [*built("taking"), claim("CORE-002", TEST), say("Two.")],
    )
    server = model(agent)
    done = deliver(project)
    assert done.code == 0, done.err + done.out
    assert board(project) == {"CORE-001": "passed", "CORE-002": "passed"}
    assert [agent.tools(number) for number in range(3)] == [{"create"}, {"set_status", "list"}, {"set_status", "list"}]
    assert "All achievable deliverables passed" in done.out
    assert "Overall: 3 session(s), 2/2 deliverables passed, cost=$" in done.out
    assert "[PASS] Feature CORE-001 (CORE-001)" in done.out
    assert "\x1b" not in done.out
    assert "  Plan model: opus\n  Model: sonnet\n" in done.out
    models = [request.json["model"] for request in server.requests]
    assert "opus" in models[0]
    assert "sonnet" in models[-1]


class Planned(NamedTuple):
    """One planning session, after which the run ends."""

    project: Daedal
    agent: Agent
    server: ModelServer
    done: Finished


@pytest.fixture(scope="module")
def planned(tmp_path_factory: pytest.TempPathFactory) -> Planned:
    project = prepared(Daedal(tmp_path_factory.mktemp("planned")))
    (project.workspace / ".daedal").mkdir()
    (project.workspace / ".daedal" / "initializer.md").write_text("Write everything in COBOL.")
    agent = Agent(
        [create("UI-001", criteria=["a", "b"]), create("UI-002", "UI-001"), create("ui-3"), say("Planned.")],
        after=[*built("adding"), say("Not yet.")],
    )
    with ModelServer(agent) as server:
        project.env.update(server.env())
        done = deliver(project, "--max-iterations", "1", "--thinking", "2048", "-pm", "haiku")
    return Planned(project, agent, server, done)


@requirement("AU-05")
def test_the_status_file_has_its_specified_shape_and_nothing_else(planned: Planned):
    said = json.loads((planned.project.workspace / ".daedal" / "status.json").read_text())
    assert list(said) == ["createdAt", "updatedAt", "deliverables"]
    assert said["deliverables"] == [
        {
            "id": "UI-001",
            "description": "Feature UI-001",
            "acceptanceCriteria": ["a", "b"],
            "passed": False,
            "blocked": False,
        }
    ]


@requirement("AU-05")
def test_ids_that_collide_or_are_none_are_refused_and_nothing_is_half_written(planned: Planned):
    assert list(board(planned.project)) == ["UI-001"]
    told = results(planned.server.requests[-1])
    assert "UI-001 is taken" in told[1]
    assert "TYPE-NNN" in told[2]


@requirement("AU-06")
def test_it_stops_after_so_many_sessions(planned: Planned):
    assert planned.done.code == 53
    assert planned.agent.begun == 1
    assert "Max iterations (1) reached" in planned.done.out


@requirement("AU-03")
def test_a_project_may_bring_its_own_instructions(planned: Planned):
    assert "COBOL" in planned.agent.told(0)
    assert "SPEC.md" not in planned.agent.told(0)


@requirement("AU-11")
def test_thinking_and_models_reach_the_wire(planned: Planned):
    asked = planned.server.requests[0].json
    assert asked["thinking"] == {"type": "enabled", "budget_tokens": 2048}
    assert "haiku" in asked["model"]


@requirement("AU-12")
def test_the_start_says_with_what_it_works(planned: Planned):
    first, empty, message, *rest = planned.done.out.splitlines()
    assert first.startswith("Daedal v")
    assert empty == ""
    assert message
    assert rest[:5] == [
        f"  Working directory: {planned.project.workspace}",
        "  Max iterations: 1",
        "  Plan model: haiku",
        "  Model: sonnet",
        "  Thinking: 2048 tokens",
    ]


@requirement("AU-06", "AU-07", "AU-13")
def test_what_has_passed_needs_no_session_and_what_is_deprecated_is_kept_and_does_not_count(project: Daedal, model):
    plant(project, CORE_001="passed", CORE_002="blocked", OLD_001="deprecated")
    server = model([])
    done = deliver(project)
    assert done.code == 0
    assert not server.requests
    assert "All achievable deliverables passed" in done.out
    assert "Overall: 0 session(s), 1/2 deliverables passed, cost=$0.0000, duration=0s" in done.out
    assert "OLD-001" in (project.workspace / ".daedal" / "status.json").read_text()


@requirement("AU-06")
def test_where_all_is_blocked_it_ends_as_failed(project: Daedal, model):
    plant(project, CORE_001="pending", CORE_002="blocked")
    model(Agent([claim("CORE-001", status="blocked"), say("No key.")]))
    done = deliver(project)
    assert done.code == 1
    assert "All 2 deliverables are blocked" in done.out
    assert "[BLOCKED] Feature CORE-001 (CORE-001)" in done.out


@requirement("AU-11")
def test_another_provider_does_both_with_the_configured_model(project: Daedal, model):
    server = model(Agent([create("CORE-001")]))
    done = deliver(project, "-n", "1", "--provider", "lm_studio_local")
    assert done.code == 53, done.err
    assert {request.json["model"] for request in server.requests} == {"scripted"}


@requirement("AU-09")
def test_failed_sessions_are_tried_again_not_for_ever_and_a_success_starts_the_count_again(project: Daedal, model):
    plant(project, CORE_001="pending")
    agent = Agent([fail(400, "first")], [*built("adding"), say("Half.")], after=[fail(400, "no such thing")])
    model(agent)
    done = deliver(project, "--max-retries", "1")
    assert agent.begun == 4
    assert done.code == 1
    assert "Max retries exceeded: " in done.out
    assert "no such thing" in done.out
    assert "Overall: 4 session(s), 0/1 deliverables passed" in done.out


@requirement("AU-04")
def test_three_hundred_deliverables_are_listed_page_by_page(project: Daedal, model):
    plant(project, **{f"API_{number:03}": "pending" for number in range(1, 301)})
    server = model(Agent([listing(), listing(limit=100, offset=5), listing(filter={"verified": True}), say("Done.")]))
    deliver(project, "-n", "1")
    first, second, third = results(server.requests[-1])
    assert first.count("acceptanceCriteria") == 5
    assert "API-006" in second
    assert second.count("acceptanceCriteria") == 100
    assert "only while verifying" in third
    assert project("status").out.count("pending") == 301


@requirement("AU-12")
def test_events_come_as_lines_of_json(project: Daedal, model):
    model(Agent([create("CORE-001")]))
    done = deliver(project, "-n", "1", "--json")
    kinds = [line["type"] for line in done.lines]
    assert kinds[0] == "session_started"
    assert "deliverable" in kinds
    assert done.lines[-1]["reason"] == "max_iterations"
    assert done.lines[-1]["success"] is False


@pytest.mark.long
@requirement("AU-01")
def test_twelve_deliverables_are_planned_and_finished(project: Daedal, model):
    ids = [f"CORE-{number:03}" for number in range(1, 13)]
    sessions = [[*built(f"part{number}"), claim(key, TEST), say("Done.")] for number, key in enumerate(ids)]
    model(Agent([create(*ids), say("Planned.")], *sessions))
    done = deliver(project)
    assert done.code == 0, done.out + done.err
    assert "Overall: 13 session(s), 12/12 deliverables passed" in done.out
