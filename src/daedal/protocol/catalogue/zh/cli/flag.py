"""多个命令共有的选项所说的话。"""

WORDS = {
    "cli.flag.cd": "工作的项目目录（默认：当前目录）",
    "cli.flag.approval": (
        "需要答复的调用怎么处理：ask 询问人（此处：沙箱能限制且没有规则要求询问时允许，否则拒绝），auto 允许没有规则要求询问的，"
        "yolo 除只有人能决定的之外全部允许，never 拒绝"
    ),
    "cli.flag.permission_mode": "没有规则涉及时怎么办（默认：取自设置）",
    "cli.flag.allow": "允许此规则涵盖的调用，如 'Bash(npm test:*)' 或 'Edit(src/**)'；可重复",
    "cli.flag.deny": "在任何模式下都拒绝此规则涵盖的调用；可重复",
    "cli.flag.guard": "每次调用还要经无人值守的守卫裁决：run 可以构建，sync 只能查看",
    "cli.flag.allow_destructive": "配合 --guard run：让 rm 和 mv 在项目内工作",
    "cli.flag.no_sandbox": "让命令不受限制地运行",
    "cli.flag.json": "输出 JSON",
    "cli.flag.action": "做什么；各有 --help",
}
