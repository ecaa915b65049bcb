"""Can a tool say what it would change, and change nothing by saying so?"""

import asyncio
from typing import Any

import pytest

from daedal.protocol.items import Change
from daedal.protocol.seams import Previewed
from tests.tools.desk import Desk


def preview(desk: Desk, tool: str, **arguments: Any) -> list[Change]:
    """Of a call that was judged, as the engine asks for it."""
    found = desk.tools.get(tool)
    assert isinstance(found, Previewed)
    found.paths(arguments, desk.cwd)
    return asyncio.run(found.preview(arguments, desk))


NOTEBOOK = '{"cells": [{"cell_type": "code", "id": "a", "metadata": {}, "source": ["1"], "outputs": [],\
 "execution_count": null}], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}'


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("Write", {"file_path": "new/a.txt", "content": "one\ntwo\n"}),
        ("Write", {"file_path": "b.txt", "content": "other\n"}),
        ("Edit", {"file_path": "b.txt", "old_string": "was", "new_string": "is"}),
        ("NotebookEdit", {"notebook_path": "n.ipynb", "cell_id": "a", "new_source": "2"}),
        ("Move", {"source_path": "b.txt", "destination_path": "c.txt"}),
    ],
)
def test_what_is_foreseen_is_what_then_happens_and_nothing_happens_before(
    desk: Desk, tool: str, arguments: dict[str, str]
):
    path = desk.put("b.txt", "was here\n")
    desk.put("n.ipynb", NOTEBOOK)
    desk.do("Read", file_path="n.ipynb")
    foreseen = preview(desk, tool, **arguments)
    assert foreseen
    assert desk.kept == []
    assert path.read_text() == "was here\n"
    assert sorted(each.name for each in desk.root.iterdir()) == ["b.txt", "n.ipynb"]
    assert preview(desk, tool, **arguments) == foreseen
    desk.judged = (tool, arguments)
    assert desk.do(tool, **arguments).changes == foreseen


def test_a_call_that_would_be_refused_has_nothing_to_show(desk: Desk):
    desk.put("b.txt", "x\n")
    assert preview(desk, "Edit", file_path="b.txt", old_string="nowhere", new_string="y") == []
    assert preview(desk, "Edit", file_path="missing.txt", old_string="a", new_string="b") == []
    assert preview(desk, "Write", content="no path") == []
    assert preview(desk, "Move", source_path="b.txt", destination_path="b.txt") == []


def test_what_is_too_large_to_be_shown_is_not_looked_at(desk: Desk):
    desk.put("b.txt", "x" * 3_000_000)
    assert preview(desk, "Write", file_path="b.txt", content="small") == []
    assert preview(desk, "Write", file_path="c.txt", content="y" * 3_000_000) == []


def test_a_link_that_was_changed_since_the_call_was_judged_is_not_followed(desk: Desk):
    one, two = desk.put("one.txt", "1\n"), desk.put("two.txt", "2\n")
    link = desk.root / "link.txt"
    link.symlink_to(one)
    found = desk.tools.get("Write")
    assert isinstance(found, Previewed)
    arguments = {"file_path": "link.txt", "content": "new\n"}
    found.paths(arguments, desk.cwd)
    link.unlink()
    link.symlink_to(two)
    assert asyncio.run(found.preview(arguments, desk)) == []


def test_tools_that_change_nothing_have_no_preview(desk: Desk):
    assert not any(isinstance(desk.tools.get(tool), Previewed) for tool in ("Read", "Grep", "Glob", "Bash"))
