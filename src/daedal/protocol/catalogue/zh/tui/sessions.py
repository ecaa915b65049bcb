"""会话列表对人说的话。"""

WORDS = {
    "tui.sessions.title": "此目录的会话：",
    "tui.sessions.title_all": "所有目录的会话：",
    "tui.sessions.keys": "输入以搜索 · ↑↓ 加 Enter · Ctrl+A 所有目录 · Esc 返回",
    "tui.sessions.running": "在进程 {pid} 中运行",
    "tui.sessions.this": "当前会话",
    "tui.sessions.forked": "副本",
    "tui.sessions.elsewhere": "该会话属于 {folder} · 到那里运行：daedal resume {id}",
    "tui.sessions.days": "{count} 天前",
    "tui.sessions.hours": "{count} 小时前",
    "tui.sessions.minutes": "{count} 分钟前",
    "tui.sessions.now": "刚刚",
}
