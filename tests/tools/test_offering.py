"""What is a model told at first, and what only when it asks?"""

from pathlib import Path

import pytest

from daedal.protocol.seams import Bench, Outcome
from daedal.tools import AgentOrder, Listing, ToolSettings, Worlds
from tests.tools.desk import Desk

AT_FIRST = ["Read", "Write", "Edit", "Bash", "Glob", "Grep", "AskUserQuestion", "TodoWrite", "ToolSearch"]


class Crowd:
    """Agents and skills, so many."""

    def __init__(self, count: int) -> None:
        self._listings = [Listing(f"kind-{number}", "Does\nthis.  " + "And that. " * 60) for number in range(count)]

    def types(self) -> list[Listing]:
        return self._listings

    def listed(self) -> list[Listing]:
        return self._listings

    async def run(self, order: AgentOrder, bench: Bench) -> Outcome:
        return Outcome(content=f"{order.type} in {bench.workspace}")

    async def load(self, name: str, arguments: str, bench: Bench) -> Outcome:
        return Outcome(content=f"{name} {arguments} in {bench.workspace}")


def described(desk: Desk) -> list[str]:
    return [spec.name for spec in desk.tools.specs() if not spec.is_deferred]


def description(desk: Desk, name: str) -> str:
    return next(spec.description for spec in desk.tools.specs() if spec.name == name)


def test_the_tools_of_most_tasks_are_described_and_the_others_named(desk: Desk):
    assert described(desk) == AT_FIRST
    deferred = [spec.name for spec in desk.tools.specs() if spec.is_deferred]
    assert description(desk, "ToolSearch").endswith(f"There are: {', '.join(deferred)}")


def test_a_deferred_tool_can_be_called_all_the_same(desk: Desk):
    desk.put("a.txt", "x")
    assert not desk.do("Move", source_path="a.txt", destination_path="b.txt").is_error
    assert (desk.root / "b.txt").exists()


def test_agents_and_skills_are_described_where_there_are_some(tmp_path: Path):
    desk = Desk(tmp_path, worlds=Worlds(agents=Crowd(2), skills=Crowd(1)))
    assert {"Agent", "Skill"} <= set(described(desk))
    assert "\n- kind-0: Does this. And that." in description(desk, "Agent")
    assert "\n- kind-1: " in description(desk, "Agent")
    assert "Skills:\n- kind-0: Does this." in description(desk, "Skill")


def test_a_long_list_is_cut_and_says_so(tmp_path: Path):
    desk = Desk(tmp_path, worlds=Worlds(agents=Crowd(500)))
    text = description(desk, "Agent")
    assert len(text) < 4000
    assert text.endswith(" more")


@pytest.mark.parametrize("name", ["Agent", "Skill"])
def test_where_there_are_none_the_model_is_told(desk: Desk, name: str):
    assert description(desk, name).endswith("None are configured here.")


def test_everything_is_described_where_that_is_wanted(tmp_path: Path):
    desk = Desk(tmp_path, ToolSettings(defer=False))
    assert described(desk) == [spec.name for spec in desk.tools.specs()]
    assert "All tools are described to you already." in description(desk, "ToolSearch")


def test_without_a_way_to_find_them_no_tools_are_deferred(tmp_path: Path):
    desk = Desk(tmp_path, ToolSettings(enabled=["Read", "WebFetch"]))
    assert described(desk) == ["Read", "WebFetch"]


def test_no_place_in_a_description_is_left_open(desk: Desk):
    assert [spec.name for spec in desk.tools.specs() if "{" in spec.description.replace("*.{ts,tsx}", "")] == []
