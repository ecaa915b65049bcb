"""/export 对人说的话。"""

WORDS = {
    "tui.export.about": "把此会话写成 Markdown 或 JSON 文件，不含机密",
    "tui.export.nothing": "还没有内容 · 没有可导出的",
    "tui.export.done": "{path} · {count} 字节",
    "tui.export.markdown": "供人阅读",
    "tui.export.json": "一个 JSON 文档",
    "tui.export.jsonl": "每行一个 JSON 对象",
}
