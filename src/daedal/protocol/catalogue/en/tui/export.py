"""What /export says to people."""

WORDS = {
    "tui.export.about": "write this session to a file, as Markdown or JSON, without secrets",
    "tui.export.nothing": "nothing was said yet · there is nothing to export",
    "tui.export.done": "{path} · {count} bytes",
    "tui.export.markdown": "for people",
    "tui.export.json": "one JSON document",
    "tui.export.jsonl": "one JSON object per line",
}
