"""`daedal --transition` 对人说的话。"""

WORDS = {
    "cli.transition.example": "daedal --transition test --conversation 0198c1a2",
    "cli.transition.about": "把对话转到另一个阶段",
    "cli.transition.phase": "要转到的阶段",
    "cli.transition.conversation": "对话的 id，或其开头",
    "cli.transition.refused": "{id} 留在 {before}，不转到 {after}：{reason}",
    "cli.transition.moved": "{id}：{before} → {after}",
}
