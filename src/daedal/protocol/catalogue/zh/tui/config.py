"""/config 对人说的话。"""

WORDS = {
    "tui.config.about": "浏览设置，查看由谁设置，并设置其中一个",
    "tui.config.title": "设置",
    "tui.config.keys": "输入以搜索 · Enter 更改 · Esc 返回",
    "tui.config.value": "{key}：{meaning} · 空行表示从你的设置中去掉",
    "tui.config.unknown": "没有设置 {key} · /config 列出所有设置",
    "tui.config.general": "通用",
    "tui.config.now": "值",
    "tui.config.origin": "由谁设置",
    "tui.config.next": "下次启动起",
    "tui.config.meaning": "含义",
    "tui.config.changed": "已更改",
    "tui.config.written": "已把 {key} = {value} 写入 {file} · 下次启动起生效",
    "tui.config.removed": "已从 {file} 去掉 {key} · 下次启动起生效",
}
