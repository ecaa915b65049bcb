"""Is a notebook found to be what it is, and does everything but the one cell stay as it was, whoever wrote it?"""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daedal.tools.notebook import Malformed, Notebook, parse
from daedal.tools.notebook_cells import deleted, inserted, replaced

texts = st.text(st.characters(exclude_categories=("Cs",)), max_size=40)
sources = texts | st.lists(texts, max_size=3)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)


@st.composite
def cells(draw: st.DrawFn) -> dict[str, Any]:
    kind = draw(st.sampled_from(("code", "markdown", "raw")))
    cell: dict[str, Any] = {"cell_type": kind, "metadata": draw(st.dictionaries(texts, values, max_size=2))}
    cell["source"] = draw(sources)
    if kind == "code":
        cell |= {"execution_count": draw(st.none() | st.integers()), "outputs": draw(st.lists(values, max_size=2))}
    order = draw(st.permutations(list(cell)))
    return {key: cell[key] for key in order}


@st.composite
def notebooks(draw: st.DrawFn) -> tuple[str, dict[str, Any]]:
    """The text as some program may have written it, and what it says."""
    inside = [cell | {"id": f"id-{number}"} for number, cell in enumerate(draw(st.lists(cells(), max_size=4)))]
    whole = {"cells": inside, "metadata": draw(values), "nbformat": 4, "nbformat_minor": draw(st.sampled_from((4, 5)))}
    order = draw(st.permutations(list(whole)))
    indent = draw(st.sampled_from((None, 0, 1, 2, "\t")))
    separators = draw(st.sampled_from((None, (",", ":")))) if indent is None else None
    text = json.dumps(
        {key: whole[key] for key in order},
        indent=indent,
        separators=separators,
        ensure_ascii=draw(st.booleans()),
    )
    if draw(st.booleans()):
        text = text.replace("\n", "\r\n")  # in JSON a line end stands only between the parts
    return text + draw(st.sampled_from(("", "\n"))), whole


def parsed(text: str) -> Notebook:
    return parse(text.encode())


def lines(source: str) -> list[str]:
    whole = [f"{line}\n" for line in source.split("\n")]
    whole[-1] = whole[-1][:-1]
    return whole if whole[-1] else whole[:-1]


@given(notebooks())
def test_what_was_written_is_found(made: tuple[str, dict[str, Any]]):
    text, whole = made
    notebook = parsed(text)
    assert notebook.text == text
    assert [(cell.name, cell.kind) for cell in notebook.cells] == [(c["id"], c["cell_type"]) for c in whole["cells"]]
    assert [cell.source for cell in notebook.cells] == ["".join(c["source"]) for c in whole["cells"]]
    assert all(json.loads(text[c.span.start : c.span.end]) == c.span.value for c in notebook.cells)


@given(notebooks(), st.data(), texts, st.sampled_from((None, "code", "markdown")))
def test_a_replaced_cell_is_another_and_the_rest_is_the_same_text(
    made: tuple[str, dict[str, Any]], data: st.DataObject, source: str, kind: str | None
):
    notebook = parsed(made[0])
    if not notebook.cells:
        return
    cell = data.draw(st.sampled_from(notebook.cells))
    text = replaced(notebook, cell, source, kind)
    assert text.startswith(made[0][: cell.span.start])
    assert text.endswith(made[0][cell.span.end :])
    expected = dict(cell.span.value)
    expected["source"] = lines(source) if cell.is_list else source
    expected["cell_type"] = kind or cell.kind
    expected.pop("outputs", None)
    expected.pop("execution_count", None)
    if expected["cell_type"] == "code":
        expected |= {"outputs": [], "execution_count": None}
    assert json.loads(text)["cells"][notebook.cells.index(cell)] == expected


@given(notebooks(), st.data(), texts, st.sampled_from(("code", "markdown")))
def test_a_cell_that_was_inserted_and_deleted_leaves_no_trace(
    made: tuple[str, dict[str, Any]], data: st.DataObject, source: str, kind: str
):
    notebook = parsed(made[0])
    after = data.draw(st.sampled_from([None, *notebook.cells]))
    text, name = inserted(notebook, after, source, kind)
    place = 0 if after is None else notebook.cells.index(after) + 1
    grown = parsed(text)
    cell = grown.cells[place]
    assert (cell.kind, cell.source, len(grown.cells)) == (kind, source, len(notebook.cells) + 1)
    assert (cell.name == name) if notebook.has_ids else ("id" not in cell.span.value)
    assert deleted(grown, cell) == made[0]


@given(notebooks(), st.data())
def test_a_deleted_cell_is_gone_and_the_others_stay(made: tuple[str, dict[str, Any]], data: st.DataObject):
    notebook = parsed(made[0])
    if not notebook.cells:
        return
    cell = data.draw(st.sampled_from(notebook.cells))
    left = json.loads(deleted(notebook, cell))
    expected = made[1] | {"cells": [c for c in made[1]["cells"] if c["id"] != cell.name]}
    assert left == expected


def test_a_new_cell_looks_as_jupyter_writes_it():
    whole = {"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    text, name = inserted(parsed(json.dumps(whole, indent=1) + "\n"), None, "a = 1\nb = 'é'", "code")
    cell = {"cell_type": "code", "execution_count": None, "id": name, "metadata": {}, "outputs": []}
    cell["source"] = ["a = 1\n", "b = 'é'"]
    assert text == json.dumps(whole | {"cells": [cell]}, indent=1, ensure_ascii=False) + "\n"


@given(st.binary(max_size=60) | texts.map(str.encode))
def test_whatever_is_no_notebook_is_called_malformed(content: bytes):
    with pytest.raises(Malformed):
        parse(content)


@given(notebooks(), st.data())
def test_a_notebook_that_is_cut_off_is_malformed(made: tuple[str, dict[str, Any]], data: st.DataObject):
    text = made[0].rstrip()
    with pytest.raises(Malformed):
        parsed(text[: data.draw(st.integers(0, len(text) - 1))])


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "no JSON object"),
        ("[]", "no JSON object"),
        ("{}", "no list `cells`"),
        ('{"cells": {}}', "no list `cells`"),
        ('{"worksheets": []}', "old format"),
        ('{"cells": [], "cells": []}', "stands twice"),
        ('{"cells": [1]}', "cell 0 is no object"),
        ('{"cells": [{"source": ""}]}', "cell 0 has no `cell_type`"),
        ('{"cells": [{"cell_type": "code"}]}', "`source` of its cell 0"),
        ('{"cells": [{"cell_type": "code", "source": [1]}]}', "`source` of its cell 0"),
        ('{"cells": []} x', "extra data"),
        ('{"cells": [}', "in line 1"),
        ('{"cells": ' + "[" * 100_000, "nested too deeply"),
        ('{"cells": [], "n": ' + "9" * 10_000 + "}", "no JSON that can be read"),
        ("{1: 2}", "a key of it is no text"),
    ],
)
def test_what_is_wrong_is_said(text: str, why: str):
    with pytest.raises(Malformed, match=why):
        parsed(text)
