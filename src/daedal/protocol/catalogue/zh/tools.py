"""工具对人说的话。"""

WORDS = {
    "tools.unknown": "tools.enabled 中有未知的工具 {name} · 已知的工具：{known}",
    "tools.shell_path": "tools.shell.path 是 {path}，它不是程序 · 请修正，或去掉",
    "tools.shell_missing": "没有可运行命令的 shell：PATH 中找不到 {names} · 请安装一个，或设置 tools.shell.path",
    "tools.restore_outside": "它在工作区 {workspace} 之外",
    "tools.restore_protected": "这里不允许写入它",
    "tools.restore_link": "那里现在是一个链接，而链接不会被跟随",
    "tools.restore_kind": "现在用这个名字的不是文件",
}
