"""/compact 对人说的话。"""

WORDS = {
    "tui.compact.about": "把此前的内容压缩为摘要，并着重你指明的内容",
    "tui.compact.done": "已压缩：{before} token 变为 {after}。",
}
