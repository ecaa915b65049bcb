"""`daedal export` 对人说的话。"""

WORDS = {
    "cli.export.example": "daedal export 0198c5a1 --format markdown",
    "cli.export.about": "把会话导出为 JSON lines 或 Markdown",
    "cli.export.format": "jsonl（默认）或 markdown",
    "cli.export.output": "写到 FILE，而不是标准输出",
    "cli.export.none": "没有会话 {id}：还没有任何记录",
    "cli.export.unwritable": "无法写入 {path}：{error}",
}
