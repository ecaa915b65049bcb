"""`daedal policy` 对人说的话。"""

WORDS = {
    "cli.policy.example": "daedal policy check bash < cases.jsonl",
    "cli.policy.about": "离线裁决用例，或按别的规则重新裁决过去的调用",
    "cli.policy.check": "每行输入一个 JSON 用例，每行输出一个 JSON 答案；什么都不执行",
    "cli.policy.kind": "用例的内容：守卫下的命令、规则下的工具调用、路径、钩子结果",
    "cli.policy.file": "用例（默认：标准输入）",
    "cli.policy.unreadable": "无法读取 {path}：{error} · 请给出每行一个 JSON 用例的文件",
    "cli.policy.no_object": "用例须是 JSON 对象",
    "cli.policy.replay": "按别的规则重新裁决每次记录的调用，并显示哪些裁决会改变",
    "cli.policy.rules": "带 permissions 表的 TOML 或 JSON 文件",
    "cli.policy.since": "只看此后的调用：30d、12h，或如 2026-05-01 的日期（默认：全部）",
    "cli.policy.all": "也显示裁决不变的调用",
    "cli.policy.bad_since": "“{text}”不是时间 · 请写 30d、12h，或如 2026-05-01 的日期",
    "cli.policy.headings": "时间|会话|调用|原裁决|新裁决",
    "cli.policy.not_by_rules": "不由规则裁决",
    "cli.policy.summary": "重新裁决了 {calls} 次调用：{changed} 次会改变；{others} 次不由规则裁决，保持不变",
}
