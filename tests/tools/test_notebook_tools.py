"""Does the model read notebooks as cells and change them cell by cell?"""

import json
from base64 import b64encode
from typing import Any

import pytest

from daedal.protocol.seams import ImageContent, Outcome, PreImage
from tests.toolbox.requirement import requirement
from tests.tools.desk import Desk
from tests.tools.test_read_images import png

pytestmark = [requirement("SD-16/Read"), requirement("SD-16/NotebookEdit")]


def code(source: str, *outputs: dict[str, Any], name: str | None = None) -> dict[str, Any]:
    cell: dict[str, Any] = {"cell_type": "code", "execution_count": 1, "metadata": {}, "outputs": list(outputs)}
    return cell | {"source": source.splitlines(keepends=True)} | ({"id": name} if name else {})


def markdown(source: str, *, name: str | None = None) -> dict[str, Any]:
    cell: dict[str, Any] = {"cell_type": "markdown", "metadata": {}, "source": source.splitlines(keepends=True)}
    return cell | ({"id": name} if name else {})


def stream(text: str) -> dict[str, Any]:
    return {"output_type": "stream", "name": "stdout", "text": text.splitlines(keepends=True)}


def written(*cells: dict[str, Any], minor: int = 5, **metadata: Any) -> str:
    whole = {"cells": list(cells), "metadata": metadata, "nbformat": 4, "nbformat_minor": minor}
    return json.dumps(whole, indent=1, ensure_ascii=False) + "\n"


def read(desk: Desk, **arguments: Any) -> str:
    outcome = desk.do("Read", file_path="a.ipynb", **arguments)
    assert not outcome.is_error, outcome.content
    return outcome.content


def edit(desk: Desk, **arguments: Any) -> Outcome:
    """After it was read."""

    async def scenario() -> Outcome:
        await desk.call("Read", file_path="a.ipynb", limit=10)
        return await desk.call("NotebookEdit", notebook_path="a.ipynb", **arguments)

    return desk.run(scenario())


def test_cells_come_with_ids_kinds_and_outputs(desk: Desk):
    picture = png(4, 3)
    display = {
        "output_type": "display_data",
        "data": {"image/png": b64encode(picture).decode() + "\n", "text/plain": ["<Figure>"]},
    }
    error = {
        "output_type": "error",
        "ename": "KeyError",
        "evalue": "'x'",
        "traceback": ["\x1b[31mKeyError\x1b[0m: 'x'"],
    }
    result = {"output_type": "execute_result", "data": {"text/html": "<b>3</b>", "text/plain": ["3"]}}
    path = desk.put(
        "a.ipynb",
        written(
            markdown("# Title\ntext", name="m1"),
            code("1 + 2", result, name="c1"),
            code("plot()", stream("done\n"), display, error, name="c2"),
        ),
    )
    assert desk.do("Read", file_path="a.ipynb") == Outcome(
        content=(
            '<cell id="m1"><cell_type>markdown</cell_type># Title\ntext</cell id="m1">\n'
            '<cell id="c1">1 + 2</cell id="c1">\n<output>\n3\n</output>\n'
            '<cell id="c2">plot()</cell id="c2">\n<output>\ndone\n'
            f"(image/png, 4 × 3, {len(picture)} bytes, shown as image 1)\nKeyError: 'x'\n</output>\n"
            "(3 cells)"
        ),
        images=[ImageContent("image/png", picture)],
        touched=[str(path)],
    )


def test_cells_without_ids_are_named_by_their_place_and_other_languages_are_told(desk: Desk):
    desk.put("a.ipynb", written(markdown("x"), code("println(1)"), minor=4, language_info={"name": "scala"}))
    assert '<cell id="cell-1"><language>scala</language>println(1)</cell id="cell-1">' in read(desk)


def test_offset_and_limit_count_cells(desk: Desk):
    desk.put("a.ipynb", written(*(code(f"x = {number}", name=f"n{number}") for number in range(1, 6))))
    shown = '<cell id="n2">x = 2</cell id="n2">\n<cell id="n3">x = 3</cell id="n3">\n(cells 2-3 of 5)'
    assert read(desk, offset=2, limit=2) == shown
    assert read(desk, offset=9) == "(offset 9 is past the end: the notebook has 5 cells)"


def test_long_outputs_and_long_notebooks_are_cut_with_a_mark(desk: Desk):
    desk.put("a.ipynb", written(code("x", stream("y" * 50_000), name="c")))
    content = read(desk)
    assert "[SDLC_TRUNCATED] outputs of 50000 characters" in content
    assert len(content) < 11_000
    desk.put("a.ipynb", written(*(code("é" * 20_000, name=f"c{number}") for number in range(10))))
    content = read(desk)
    assert len(content.encode()) <= 262_144
    assert content.endswith("(cells 1-6 of 10) [SDLC_TRUNCATED] go on with offset 7, which counts cells")
    desk.put("a.ipynb", written(code("z" * 500_000, name="c")))
    content = read(desk)
    assert len(content.encode()) <= 262_144
    assert content.endswith("[SDLC_TRUNCATED]\n(1 cell)")


def test_not_all_of_many_pictures_are_shown_and_broken_ones_never(desk: Desk):
    display = {"output_type": "display_data", "data": {"image/png": b64encode(png(4, 3)).decode()}}
    broken = {"output_type": "display_data", "data": {"image/png": "iVBORw0KGgo=", "text/plain": "<Figure>"}}
    odd = {"output_type": "display_data", "data": {"image/png": "é", "application/x-widget": {}}}
    desk.put("a.ipynb", written(code("x", broken, odd, *[display] * 12, name="c")))
    outcome = desk.do("Read", file_path="a.ipynb")
    assert len(outcome.images) == 8
    assert outcome.content.count("not shown: the notebook has many") == 4
    assert "<output>\n<Figure>\n(image/png, application/x-widget)\n" in outcome.content


@pytest.mark.parametrize("output", [1, {}, {"output_type": 5}, {"output_type": "stream", "text": 7}, {"data": [1]}])
def test_odd_outputs_are_passed_over(desk: Desk, output: Any):
    desk.put("a.ipynb", written(code("x", output, name="c")))
    assert read(desk) == '<cell id="c">x</cell id="c">\n(1 cell)'


@pytest.mark.parametrize("filling", ["", "x" * 300_000])
def test_half_a_character_in_a_cell_or_its_output_is_shown_as_a_question_mark(desk: Desk, filling: str):
    half = written(code("x = '@'" + filling, stream("@"), name="c@")).replace("@", "\\ud800")
    desk.put("a.ipynb", half)
    shown = read(desk)
    assert shown.startswith("<cell id=\"c?\">x = '?'")
    assert "(1 cell)" in shown
    assert not edit(desk, cell_id="cell-0", new_source="y").is_error


def test_a_malformed_notebook_is_told_and_can_be_read_as_text(desk: Desk):
    desk.put("a.ipynb", '{"cells": [\n')
    outcome = desk.do("Read", file_path="a.ipynb")
    assert outcome.is_error
    assert "is no notebook that can be read: it is no JSON" in outcome.content
    assert "`limit`" in outcome.content
    assert read(desk, limit=5) == '1\t{"cells": [\n(1 line)'


def test_a_malformed_notebook_above_what_is_read_at_once_is_still_paged(desk: Desk):
    desk.put("a.ipynb", "[\n" * 200_000)
    assert read(desk, offset=199_999, limit=1) == "199999\t[\n(lines 199999-199999 of 200000)"


def test_replacing_changes_one_cell_and_keeps_what_was(desk: Desk):
    before = written(markdown("é", name="m1"), code("old", stream("out"), name="c1"), weight=1.10)
    path = desk.put("a.ipynb", before)
    outcome = edit(desk, cell_id="c1", new_source="new\nlines")
    assert outcome.content == f"Updated code cell c1 (2 lines) in {path}."
    assert (outcome.touched, len(outcome.changes)) == ([str(path)], 1)
    assert '+    "new\\n",\n' in outcome.changes[0].diff
    assert desk.kept == [PreImage(path=str(path), content=before.encode(), mode=path.stat().st_mode & 0o777)]
    cell = code("new\nlines", name="c1") | {"execution_count": None}
    assert path.read_text() == written(markdown("é", name="m1"), cell, weight=1.10)


def test_inserting_and_deleting(desk: Desk):
    path = desk.put("a.ipynb", written(code("a", name="a"), code("b", name="b"), minor=4))
    top = edit(desk, new_source="# top", cell_type="markdown", edit_mode="insert")
    assert top.content == f"Inserted markdown cell at the top (1 line) in {path}."
    after = edit(desk, new_source="c", cell_type="code", edit_mode="insert", cell_id="b")
    assert after.content == f"Inserted code cell after cell b (1 line) in {path}."
    assert edit(desk, new_source="", edit_mode="delete", cell_id="a").content == f"Deleted cell a in {path}."
    cells = json.loads(path.read_text())["cells"]
    assert [("".join(cell["source"]), cell["cell_type"]) for cell in cells] == [
        ("# top", "markdown"),
        ("b", "code"),
        ("c", "code"),
    ]
    assert edit(desk, new_source="by place", cell_id="cell-2").content.startswith("Updated code cell cell-2 ")


def test_a_byte_order_mark_and_carriage_returns_stay(desk: Desk):
    content = b"\xef\xbb\xbf" + written(code("a", name="c")).replace("\n", "\r\n").encode()
    path = desk.put("a.ipynb", content)
    assert not edit(desk, cell_id="c", new_source="b").is_error
    assert path.read_bytes() == content.replace(b'"a"\r\n', b'"b"\r\n').replace(b": 1,", b": null,")


@pytest.mark.parametrize(
    ("arguments", "issue"),
    [
        ({"new_source": "x"}, "edit_mode replace needs `cell_id`. Cells: a, b."),
        ({"new_source": "", "edit_mode": "delete"}, "edit_mode delete needs `cell_id`"),
        ({"new_source": "x", "edit_mode": "insert"}, "edit_mode insert needs `cell_type`"),
        ({"new_source": "x", "cell_id": "zz"}, "No cell has the id 'zz'. Cells: a, b."),
        ({"new_source": "x", "cell_id": "cell-2"}, "No cell has the id 'cell-2'"),
        ({"new_source": "\ud800", "cell_id": "a"}, "cannot be written as UTF-8"),
        ({"new_source": "x", "cell_id": "a", "cell_type": "raw"}, "key `cell_type`: invalid enum value 'raw'"),
    ],
)
def test_what_cannot_be_done_is_told(desk: Desk, arguments: dict[str, Any], issue: str):
    content = written(code("a", name="a"), code("b", name="b"))
    path = desk.put("a.ipynb", content)
    outcome = edit(desk, **arguments)
    assert outcome.is_error
    assert issue in outcome.content
    assert (path.read_text(), desk.kept) == (content, [])


def test_two_cells_of_one_id_are_told_apart_by_place(desk: Desk):
    desk.put("a.ipynb", written(code("a", name="x"), code("b", name="x")))
    assert "cell-0, cell-1" in edit(desk, cell_id="x", new_source="y").content
    assert not edit(desk, cell_id="cell-1", new_source="y").is_error


def test_a_notebook_is_read_before_it_is_changed(desk: Desk):
    path = desk.put("a.ipynb", written(code("a", name="a")))
    change = {"notebook_path": "a.ipynb", "cell_id": "a", "new_source": "b"}
    unread = desk.do("NotebookEdit", **change)
    assert unread.is_error
    assert unread.content.startswith("File has not been read yet")
    desk.is_by_hand = True
    assert not desk.do("NotebookEdit", **change).is_error
    desk.is_by_hand = False

    async def scenario() -> Outcome:
        await desk.call("Read", file_path="a.ipynb")
        path.write_text(written(code("by somebody else", name="a")))
        return await desk.call("NotebookEdit", **change)

    changed = desk.run(scenario())
    assert changed.is_error
    assert changed.content.startswith("File has been modified since read")
    assert "by somebody else" in path.read_text()


def test_one_change_after_another_needs_no_reading_in_between(desk: Desk):
    desk.put("a.ipynb", written(code("a", name="a")))

    async def scenario() -> list[bool]:
        await desk.call("Read", file_path="a.ipynb")
        change = {"notebook_path": "a.ipynb", "cell_id": "a"}
        outcomes = [await desk.call("NotebookEdit", new_source=source, **change) for source in ("b", "c")]
        return [outcome.is_error for outcome in outcomes]

    assert desk.run(scenario()) == [False, False]


def test_only_notebooks_that_are_there_are_changed(desk: Desk):
    desk.put("a.py", "")
    assert "Use Edit" in desk.do("NotebookEdit", notebook_path="a.py", new_source="x").content
    assert "File does not exist" in desk.do("NotebookEdit", notebook_path="no.ipynb", new_source="x").content
    outside = desk.do("NotebookEdit", notebook_path="../a.ipynb", new_source="x")
    assert outside.blocked is not None
