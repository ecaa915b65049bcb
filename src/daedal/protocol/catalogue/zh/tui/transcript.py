"""/transcript 对人说的话。"""

WORDS = {
    "tui.transcript.about": "查看全部：差异、输出、思考（Ctrl+O）",
    "tui.transcript.where": "第 {number} 条，共 {count} 条",
    "tui.transcript.keys": "↑↓ PgUp PgDn g G · / n N 搜索 · q 返回",
    "tui.transcript.reading": "正在读取 …",
    "tui.transcript.searching": "正在搜索，再往上 {number} 条 …",
    "tui.transcript.not_found": "那里没有“{wanted}” · n 往上找，N 往下找",
}
