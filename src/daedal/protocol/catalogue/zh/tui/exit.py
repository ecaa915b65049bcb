"""/exit 对人说的话。"""

WORDS = {
    "tui.exit.about": "离开聊天；daedal --continue 可接着继续",
}
