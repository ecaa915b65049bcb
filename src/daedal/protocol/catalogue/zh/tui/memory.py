"""/memory 对人说的话。"""

WORDS = {
    "tui.memory.about": "列出、搜索、查看、编辑或遗忘记住的内容",
    "tui.memory.title": "这里记住的内容",
    "tui.memory.headings": "ID|更改时间|类型|范围|标题",
    "tui.memory.none": "还没有记住任何内容 · 以 # 开头的行会被记住。",
    "tui.memory.no_match": "没有符合的记忆。",
    "tui.memory.usage": "用法：/memory search WORDS · show ID · edit ID · forget ID",
    "tui.memory.everywhere": "到处",
    "tui.memory.here": "这里",
    "tui.memory.about_search": "按词查找",
    "tui.memory.about_show": "查看一条",
    "tui.memory.about_edit": "在编辑器中修改一条",
    "tui.memory.about_forget": "收起一条",
    "tui.memory.unchanged": "没有任何更改。",
    "tui.memory.edited": "已更改：{title}",
    "tui.memory.question": "要遗忘它吗？它会移到归档。",
    "tui.memory.yes": "遗忘",
    "tui.memory.no": "保留",
    "tui.memory.forgotten": "已遗忘：{title}",
}
