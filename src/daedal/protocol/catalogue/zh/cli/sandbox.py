"""`daedal sandbox` 对人说的话。"""

WORDS = {
    "cli.sandbox.moved_aside": "{path} 会影响智能体，沙箱把它单独存放：现在是 {aside}",
    "cli.sandbox.example": "daedal sandbox run --allow-domain pypi.org -- pip download requests",
    "cli.sandbox.about": "在智能体命令所处的沙箱中运行命令，或说明沙箱的限制",
    "cli.sandbox.run": "在沙箱中运行命令；以它的退出码退出",
    "cli.sandbox.network": "允许访问整个网络",
    "cli.sandbox.allow_domain": "允许访问此域名（可重复；*.example.org 表示其下所有）",
    "cli.sandbox.write": "也允许写入此目录（可重复）",
    "cli.sandbox.forbid_read": "禁止读取此文件或目录（可重复）",
    "cli.sandbox.command": "命令及其参数",
    "cli.sandbox.status": "说明这里由什么限制命令、限制到什么程度",
    "cli.sandbox.no_command": "没有要运行的命令 · daedal sandbox run -- make test",
    "cli.sandbox.no_folder": "{path} 不是目录 · 用 -C 给出一个",
    "cli.sandbox.none": "这里没有什么能限制命令：{reason} · 请安装 bubblewrap，或看 daedal doctor",
    "cli.sandbox.line": "沙箱：{mechanism} · 只能写 {writable} · {network}",
    "cli.sandbox.gaps": "未封闭：{gaps}",
    "cli.sandbox.network_off": "网络关闭",
    "cli.sandbox.network_on": "网络开放",
    "cli.sandbox.network_listed": "只能访问 {domains}",
}
