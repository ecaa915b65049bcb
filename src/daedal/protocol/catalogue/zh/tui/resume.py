"""/resume 对人说的话。"""

WORDS = {
    "tui.resume.about": "继续此目录的另一个会话：搜索、查看、选择",
    "tui.resume.here": "这就是你所在的会话。",
}
