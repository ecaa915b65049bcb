"""/fork 对人说的话。"""

WORDS = {
    "tui.fork.about": "在此会话的副本中继续；会话本身保持不变",
    "tui.fork.nothing": "还没有内容 · 没有可复制的",
    "tui.fork.done": "这是副本。原来的会话：daedal resume {id}",
}
