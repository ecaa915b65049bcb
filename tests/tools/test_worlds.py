"""What do the tools answer that reach agents, skills and MCP servers, where there are some and where there are none?"""

import asyncio
import json
from pathlib import Path

import pytest

from daedal.protocol.seams import Bench, Outcome
from daedal.tools import AgentOrder, Listing, Refused, Resource, ResourceContent, Worlds
from tests.journeys.test_hands import png
from tests.tools.desk import Desk


class Staff:
    def __init__(self) -> None:
        self.orders: list[AgentOrder] = []

    def types(self) -> list[Listing]:
        return [Listing("general-purpose", "Anything."), Listing("review", "Looks at changes.")]

    def is_background(self, order: AgentOrder) -> bool:
        return order.type == "review"

    async def run(self, order: AgentOrder, bench: Bench) -> Outcome:
        if order.isolation == "remote":
            raise Refused("There is no remote place here. Use worktree.")
        self.orders.append(order)
        return Outcome(content=f"Report of {order.type} for {bench.thread_id}")


class Library:
    def listed(self) -> list[Listing]:
        return [Listing("deploy", "Brings it out.")]

    async def load(self, name: str, arguments: str, bench: Bench) -> Outcome:
        return Outcome(content=f"# {name}\nDo {arguments} in {bench.workspace}.")


class Servers:
    def servers(self) -> list[str]:
        return ["docs", "broken"]

    async def listed(self, server: str) -> list[Resource]:
        if server == "broken":
            raise Refused("it has died")
        return [Resource(name="Guide", uri="docs://guide", mime_type="text/plain", server=server)]

    async def read(self, server: str, uri: str) -> list[ResourceContent]:
        if uri == "docs://huge":
            return [ResourceContent(uri=uri, text="x" * 300_000), ResourceContent(uri=uri, text="y")]
        if uri == "docs://pictures":
            blobs = [png(4, 3), b"\x89PNG broken", b"\0" * 2048]
            return [ResourceContent(uri=uri, mime_type="image/png", blob=blob) for blob in blobs]
        if uri != "docs://guide":
            raise Refused(f"{server} has no {uri}")
        return [ResourceContent(uri=uri, mime_type="text/plain", text="Read me.")]


@pytest.fixture
def staff() -> Staff:
    return Staff()


@pytest.fixture
def full(tmp_path: Path, staff: Staff) -> Desk:
    return Desk(tmp_path, worlds=Worlds(agents=staff, skills=Library(), resources=Servers()))


def test_a_task_goes_to_the_agent_that_was_named(full: Desk, staff: Staff):
    outcome = full.do(
        "Agent",
        description="review it",
        prompt="Look at the change.",
        subagent_type="review",
        model="haiku",
        run_in_background=False,
        isolation="worktree",
        effort="low",
    )
    assert (outcome.is_error, outcome.content) == (False, "Report of review for thread")
    assert staff.orders == [
        AgentOrder(
            type="review",
            description="review it",
            prompt="Look at the change.",
            model="haiku",
            isolation="worktree",
            effort="low",
        )
    ]


def test_without_a_type_the_usual_agent_is_meant(full: Desk, staff: Staff):
    full.do("Agent", description="x", prompt="y")
    assert [order.type for order in staff.orders] == ["general-purpose"]


@pytest.mark.parametrize(
    ("given", "issue"),
    [
        ({"prompt": "y", "subagent_type": "nobody"}, "no agent type 'nobody'. Available: general-purpose, review."),
        ({"prompt": " "}, "The prompt is empty"),
        ({"prompt": "y", "effort": "huge"}, "invalid enum value 'huge'"),
        ({}, "missing key `prompt`"),
        ({"prompt": "y", "isolation": "remote"}, "Use worktree."),
    ],
)
def test_a_task_that_nobody_can_do_is_told(full: Desk, staff: Staff, given: dict[str, str], issue: str):
    outcome = full.do("Agent", description="x", **given)
    assert (outcome.is_error, staff.orders) == (True, [])
    assert issue in outcome.content


def test_where_there_are_no_agents_the_model_does_it_itself(desk: Desk):
    for type_ in (None, "Explore"):
        outcome = desk.do("Agent", description="x", prompt="y", subagent_type=type_)
        assert outcome.is_error
        assert "available: none" in outcome.content
        assert "Do the work yourself" in outcome.content


@pytest.mark.parametrize("name", ["deploy", "/deploy", " deploy "])
def test_a_skill_is_loaded_with_its_arguments(full: Desk, name: str):
    outcome = full.do("Skill", skill=name, args="it all")
    assert (outcome.is_error, outcome.content) == (False, f"# deploy\nDo it all in {full.workspace}.")


def test_a_skill_that_is_not_there_is_told(full: Desk, desk: Desk):
    assert full.do("Skill", skill="fly").content == "There is no skill 'fly'. Available: deploy."
    outcome = desk.do("Skill", skill="fly")
    assert outcome.is_error
    assert "available: none" in outcome.content


def test_resources_are_listed_although_one_server_is_silent(full: Desk):
    outcome = full.do("ListMcpResources")
    listed, note = outcome.content.splitlines()
    assert json.loads(listed) == [{"name": "Guide", "uri": "docs://guide", "mimeType": "text/plain", "server": "docs"}]
    assert note == "(not answered by broken: it has died)"
    assert not outcome.is_error
    assert full.do("ListMcpResources", server="docs").content == listed
    assert full.do("ListMcpResources", server="broken").is_error


def test_servers_are_asked_side_by_side_and_long_lists_are_cut(tmp_path: Path):
    class Many(Servers):
        def __init__(self) -> None:
            self.all_asked = asyncio.Barrier(3)

        def servers(self) -> list[str]:
            return ["a", "b", "c"]

        async def listed(self, server: str) -> list[Resource]:
            await self.all_asked.wait()
            return [Resource(name="x", uri="y", description="z" * 1000, server=server)] * 200

    outcome = Desk(tmp_path, worlds=Worlds(resources=Many())).do("ListMcpResources")
    assert "[SDLC_TRUNCATED]\n(the first 500 of 600;" in outcome.content
    assert len(outcome.content) < 101_000


def test_without_servers_there_are_no_resources(desk: Desk):
    outcome = desk.do("ListMcpResources")
    assert (outcome.is_error, outcome.content) == (False, "[]")


@pytest.mark.parametrize(("tool", "given"), [("ListMcpResources", {}), ("ReadMcpResource", {"uri": "docs://guide"})])
def test_an_unknown_server_is_told_with_the_known(full: Desk, desk: Desk, tool: str, given: dict[str, str]):
    outcome = full.do(tool, server="nowhere", **given)
    assert outcome.is_error
    assert outcome.content == "There is no MCP server 'nowhere' here. Available: docs, broken."
    assert desk.do(tool, server="docs", **given).content.endswith("Available: none.")


def test_a_resource_is_read_as_its_server_gives_it(full: Desk):
    outcome = full.do("ReadMcpResource", server="docs", uri="docs://guide")
    assert json.loads(outcome.content) == {
        "contents": [{"uri": "docs://guide", "mimeType": "text/plain", "text": "Read me."}]
    }
    assert full.do("ReadMcpResource", server="docs", uri="docs://none").content == "docs has no docs://none"


def test_a_huge_resource_is_cut_with_a_mark(full: Desk):
    first, second = json.loads(full.do("ReadMcpResource", server="docs", uri="docs://huge").content)["contents"]
    assert first["text"] == "x" * 262_144 + "[SDLC_TRUNCATED]"
    assert second["text"] == "[SDLC_TRUNCATED]"


def test_whole_images_are_shown_and_other_bytes_are_only_told(full: Desk):
    outcome = full.do("ReadMcpResource", server="docs", uri="docs://pictures")
    assert [image.media_type for image in outcome.images] == ["image/png"]
    told = [part["blob"] for part in json.loads(outcome.content)["contents"]]
    assert "4 × 3" in told[0]
    assert told[1:] == ["(11 bytes, binary, not shown)", "(2 KiB, binary, not shown)"]
