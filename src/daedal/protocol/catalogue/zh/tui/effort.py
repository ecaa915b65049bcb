"""/effort 对人说的话。"""

WORDS = {
    "tui.effort.about": "选择模型思考得多深",
    "tui.effort.choose": "让 {model} 思考得多深？",
    "tui.effort.auto": "按设置",
    "tui.effort.now": "从现在起思考强度为 {effort}。",
    "tui.effort.unset": "不向模型指定思考强度。",
    "tui.effort.none": "无法为 {model} 指定思考强度 · /model 可换一个模型",
}
