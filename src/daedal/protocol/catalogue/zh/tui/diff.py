"""/diff 对人说的话。"""

WORDS = {
    "tui.diff.about": "显示此会话改动了什么，或 git 尚未提交什么",
    "tui.diff.unknown": "/diff 只能用 session 或 git，不能用 {wanted}",
    "tui.diff.none": "没有任何改动。",
    "tui.diff.none_session": "此会话没有改动任何文件。",
    "tui.diff.session": "此会话的全部改动",
    "tui.diff.git": "尚未提交的内容",
    "tui.diff.title_session": "此会话改动了 {count} 个文件 · /diff git 显示尚未提交的内容",
    "tui.diff.title_git": "尚未提交：{count} 个文件",
    "tui.diff.cut": "… 还有更多，这里显示不下",
}
