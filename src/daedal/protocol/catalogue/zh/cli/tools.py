"""`daedal tools` 对人说的话。"""

WORDS = {
    "cli.tools.example": "daedal tools --json",
    "cli.tools.about": "列出在这里会提供给模型的工具",
    "cli.tools.headings": "工具|只读|告知|来源|说明",
    "cli.tools.read_only": "是",
    "cli.tools.not_read_only": "否",
    "cli.tools.offer_at_first": "一开始",
    "cli.tools.offer_deferred": "查找时",
    "cli.tools.offer_not": "不告知（tools.enabled）",
}
