"""`daedal app-server` 对人说的话。"""

WORDS = {
    "cli.app_server.example": "daedal app-server --listen unix:///tmp/daedal.sock",
    "cli.app_server.about": "以 Codex app-server 的协议，向编辑器、网页和驱动程序提供引擎",
    "cli.app_server.action": "generate-json-schema：不提供服务，而是写出所有消息的格式",
    "cli.app_server.listen": "stdio://（默认）、unix://PATH 或 ws://127.0.0.1:PORT（0 表示任取空闲端口）",
    "cli.app_server.token_file": "websocket 客户端须作为 bearer 令牌出示的内容（默认：~/.daedal/app-server.token，没有则创建）",
    "cli.app_server.allow_origin": "允许连接的网页来源（可重复；默认：无）",
    "cli.app_server.out": "写出 schema 的目录（默认：标准输出）",
    "cli.app_server.out_alone": "--out 要配合 generate-json-schema · daedal app-server generate-json-schema --out DIR",
    "cli.app_server.listening": "正在监听 {address}",
    "cli.app_server.token_is_in": "客户端须出示 {path} 中的令牌",
    "cli.app_server.cannot_write": "无法把 schema 写到 {path}：{error}",
    "cli.app_server.client_too_slow": "客户端没有读取发给它的内容，已断开",
}
