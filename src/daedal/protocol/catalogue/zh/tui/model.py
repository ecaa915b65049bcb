"""/model 对人说的话。"""

WORDS = {
    "tui.model.about": "选择从现在起回答的模型，以及思考得多深",
    "tui.model.choose": "用哪个模型？",
    "tui.model.in_use": "使用中",
    "tui.model.effort": "思考强度",
    "tui.model.no_effort": "无法指定思考强度",
    "tui.model.keys": "输入以搜索 · ↑↓ 模型 · ←→ 思考强度 · Enter 选定 · Esc 返回",
    "tui.model.now": "从现在起由 {model}（{provider}）回答{thinks} · /config default_model … 可设为默认",
    "tui.model.thinks": "，思考强度 {effort}",
}
