"""/todos 对人说的话。"""

WORDS = {
    "tui.todos.about": "显示模型的待办清单",
    "tui.todos.none": "模型还没有写清单。",
    "tui.todos.title": "待办（已完成 {done}/{count}）",
}
