"""/rename 对人说的话。"""

WORDS = {
    "tui.rename.about": "给此会话起个名字，以便再找到它",
    "tui.rename.question": "此会话叫什么？",
    "tui.rename.done": "此会话现在叫“{name}”。",
    "tui.rename.nothing": "还没有内容 · 会话有了内容才能起名",
}
