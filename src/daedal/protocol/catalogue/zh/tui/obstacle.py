"""没有模型可用时，卡片对人说的话。"""

WORDS = {
    "tui.obstacle.question": "还没有可以对话的模型。怎么办？",
    "tui.obstacle.set_up": "在这里设置一个",
    "tui.obstacle.about_set_up": "密钥、自己的端点或本地模型；只需一分钟",
    "tui.obstacle.model": "指定另一个模型",
    "tui.obstacle.which": "哪个模型？名称，或 provider/model：",
    "tui.obstacle.again": "重试",
    "tui.obstacle.leave": "离开",
}
