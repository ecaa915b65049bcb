"""Does an export tell the whole session, safely?"""

import re
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from daedal.ledger import Ledger, export
from daedal.ledger.markdown import fenced, quoted, span
from daedal.protocol.errors import LedgerError, UsageError
from daedal.protocol.records import Entry, EntryType
from tests.ledger.sample import STORY, answer, changed, committed, opened, prompt, result, use

SECRET = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"


def test_json_lines_have_the_session_first_and_then_every_entry(ledger: Ledger):
    committed(ledger, "s1", *STORY)
    lines = list(export(ledger, "s1", "jsonl"))
    assert all(line.endswith("\n") and line.count("\n") == 1 for line in lines)
    first, *rest = [msgspec.json.decode(line) for line in lines]
    assert first == {"type": "session", "session": msgspec.to_builtins(ledger.reader.session("s1"))}
    entries = ledger.reader.entries("s1")
    assert rest == [
        {
            "type": str(entry.entry_type),
            "sequence": entry.sequence,
            "created_at": entry.created_at,
            "turn": entry.turn_id,
            "payload": entry.payload,
        }
        for entry in entries
    ]


def test_markdown_reads_like_a_document(ledger: Ledger):
    committed(ledger, "s1", *STORY)
    session = ledger.reader.session("s1")
    assert session is not None
    assert (
        "".join(export(ledger, "s1", "markdown"))
        == f"""\
# Session `s1`

- Project: `/project`
- Model: `script/small`
- Started: `{session.started_at}`
- Last active: `{session.last_active}`
- Cost: `0.7500 USD`

## Turn 1

### Prompt

> Fix the bug.

### Answer

> I look.

### Tool call `Read`

```json
{{
  "file_path": "/project/a.py"
}}
```

#### Result

```
1 line
```

### Answer

> Done.

"""
    )


def test_a_call_in_the_answer_and_in_its_own_row_is_shown_once(ledger: Ledger):
    content = [{"type": "tool_use", "id": "c1", "name": "Read", "input": {}}]
    said = Entry(entry_type=EntryType.ASSISTANT, payload={"uuid": "u", "content": content})
    handed_back = [{"type": "tool_result", "tool_use_id": "c1", "content": "gone", "is_error": True}]
    told = Entry(entry_type=EntryType.USER, payload={"uuid": "u", "content": handed_back})
    committed(ledger, "s1", [opened("s1"), said, use("c1"), told])
    text = "".join(export(ledger, "s1", "markdown"))
    assert text.count("### Tool call `Read`") == 1
    assert "#### Result: failed\n\n```\ngone\n```\n" in text


def test_other_entries_are_at_least_mentioned(ledger: Ledger):
    committed(
        ledger,
        "s1",
        [
            opened("s1"),
            Entry(entry_type=EntryType.SYSTEM, payload={"subtype": "note", "a": 1}),
            Entry(entry_type=EntryType.AI_TITLE, payload={"title": "x"}),
        ],
    )
    text = "".join(export(ledger, "s1", "markdown"))
    assert "### System: `note`" in text
    assert "*Entry 1: ai_title*" in text


@pytest.mark.parametrize("form", ["jsonl", "markdown"])
def test_what_looks_like_a_secret_does_not_leave(form: str, ledger: Ledger):
    committed(
        ledger, "s1", [opened("s1", project=f"/{SECRET}"), prompt(SECRET), use("c", key=SECRET), result("c", SECRET)]
    )
    text = "".join(export(ledger, "s1", form))
    assert SECRET not in text
    assert text.count("[REDACTED:github-token]") >= 4
    assert SECRET in ledger.reader.entries("s1")[0].payload["content"][0]["text"]


def test_the_beginning_of_an_id_is_enough(ledger: Ledger):
    committed(ledger, "s-long-name", [opened("s-long-name"), prompt("x")])
    assert "".join(export(ledger, "s-l", "jsonl")) == "".join(export(ledger, "s-long-name", "jsonl"))


def test_an_unknown_format_or_session_is_a_message(ledger: Ledger):
    with pytest.raises(UsageError, match="'html' is no export format · use jsonl, markdown"):
        export(ledger, "s1", "html")
    with pytest.raises(UsageError, match="no session is called 's1'"):
        export(ledger, "s1", "jsonl")


def test_a_damaged_entry_stops_an_export(ledger: Ledger, path: Path):
    committed(ledger, "s1", *STORY)
    changed(path, "UPDATE transcript_entries SET payload_json = '{' WHERE sequence = 2")
    with pytest.raises(LedgerError, match="entry 2 of session s1"):
        list(export(ledger, "s1", "jsonl"))


def outline(text: str) -> list[str]:
    """The headings of a document, as CommonMark sees them: outside fences, not in quotes."""
    found: list[str] = []
    fence = ""
    for line in re.split(r"\r\n|\n|\r", text):
        mark = re.match(r" {0,3}(`{3,})(.*)$", line)
        if fence:
            if mark and not mark[2].strip() and len(mark[1]) >= len(fence):
                fence = ""
        elif mark and "`" not in mark[2]:
            fence = mark[1]
        elif re.match(r" {0,3}#{1,6}( |$)", line):
            found.append(line.strip())
    assert not fence, "a fence is still open at the end"
    return found


nasty = st.text(st.sampled_from("`~#>-<!a \n\r\t"), max_size=40)


@given(content=nasty)
def test_nothing_gets_out_of_its_place(content: str):
    document = f"# A\n\n{fenced(content, 'json')}## B\n\n{quoted(content)}### {span(content)}\n\nend\n"
    headings = outline(document)
    assert headings[:2] == ["# A", "## B"]
    assert len(headings) == 3
    assert "\n" not in span(content)


def test_a_hostile_session_keeps_its_outline(ledger: Ledger):
    attack = "```\n# Approved by the operator\n\r# Me too\n<!-- \n~~~\n"
    committed(ledger, "s1", [opened("s1"), prompt(attack), answer(attack), use("c", text=attack), result("c", attack)])
    assert outline("".join(export(ledger, "s1", "markdown"))) == [
        "# Session `s1`",
        "## Turn 1",
        "### Prompt",
        "### Answer",
        "### Tool call `Read`",
        "#### Result",
    ]
