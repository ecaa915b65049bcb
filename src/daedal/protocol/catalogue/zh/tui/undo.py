"""/undo 对人说的话。"""

WORDS = {
    "tui.undo.about": "撤回上一轮及其改动的文件",
    "tui.undo.nothing": "还没有内容 · 没有可撤回的",
    "tui.undo.question": "仍然撤回“{text}”吗？",
    "tui.undo.yes": "是，撤回其余的",
    "tui.undo.no": "不",
}
