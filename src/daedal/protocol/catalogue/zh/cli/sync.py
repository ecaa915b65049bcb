"""`daedal sync` 对人说的话。"""

WORDS = {
    "cli.sync.example": "daedal sync --project-dir ~/work/shop",
    "cli.sync.about": "对照 SPEC.md 检查现有代码，不做改动",
    "cli.sync.startup": "正在对照 SPEC.md 检查代码",
}
