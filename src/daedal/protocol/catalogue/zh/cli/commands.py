"""`daedal commands` 对人说的话。"""

WORDS = {
    "cli.commands.example": "daedal commands",
    "cli.commands.about": "列出提示词可用以开头的自定义命令，如 /review",
    "cli.commands.headings": "命令|来源|作用",
    "cli.commands.none": "没有自定义命令 · 把 Markdown 文件放进 .daedal/commands/，做法见 docs/guides/prompts.md",
}
