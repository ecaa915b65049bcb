"""`daedal demo` 对人说的话。"""

WORDS = {
    "cli.demo.example": "daedal demo",
    "cli.demo.about": "无需任何配置，观看主要用法：一份规格变成经过核验的程序",
    "cli.demo.keep": "在 DIR 中创建项目，它必须是新的或空的（默认：临时目录）",
    "cli.demo.not_empty": "{folder} 不是空目录 · 请为 --keep 换一个",
    "cli.demo.git_failed": "git 无法创建演示项目：{error}",
    "cli.demo.intro": (
        "无需任何配置的演示：在无人看管的情况下，daedal run 把这份 SPEC.md 变成程序。模型的回复是录制的；\n"
        "循环、工具、沙箱、git、测试和账本都是真的。\n"
        "项目：{folder}\n"
    ),
    "cli.demo.quoted": "  │ {line}",
    "cli.demo.step": "  {line}",
    "cli.demo.said": "“{text}”",
    "cli.demo.command": "Bash {command} → 退出码 {code}",
    "cli.demo.call": "{tool} {subject}",
    "cli.demo.refused": "{call} → 被拒绝：{why}",
    "cli.demo.ran": "$ {command}\n{output}",
    "cli.demo.further": """
进一步查看：
  cd {folder} && git log --stat
  {daedal} status --project-dir {folder}
  {daedal} receipts verify
然后，用你自己的模型和 SPEC.md：
  {daedal} setup
  {daedal} run""",
}
