"""每个命令都会说的话。只有一个命令说的放在与它同名的文件中。"""

WORDS = {
    "cli.error": "错误：{message}",
    "cli.bug": (
        "错误：Daedal 自身出错（{kind}：{message}） · 已记录的内容都在；设置 DAEDAL_DEBUG=1 可看到出错位置，并请报告此问题"
    ),
    "cli.warning": "警告：{message}",
    "cli.usage_error": "错误：{message} · 见 {prog} --help",
    "cli.unknown_command": '没有命令“{word}” · 见 daedal --help；若是提示词，请用 daedal exec "{word} …"',
    "cli.unknown_command_near": "没有命令“{word}” · 是否想写 daedal {near}？",
    "cli.unknown_flag": "未知的选项 {word} · 见 daedal --help",
    "cli.no_such_language": "--lang 只能是 {known}，不能是“{language}” · daedal --lang zh --help",
    "cli.output_lost": "无法写入标准输出：{error} · 已记录的内容都在；见 daedal sessions 和 daedal export",
    "cli.not_whole_number": "“{text}”不是从 1 起的整数",
    "cli.not_an_amount": "“{text}”不是大于零的金额，例如 0.50",
    "cli.destructive_warning": "--allow-destructive：rm 和 mv 可以在项目内运行；删掉的就没有了",
    "cli.no_sandbox_warning": "{how}：命令以你的全部权限运行；读、写、访问都不受限制",
    "cli.overview": """\
daedal exec "找出测试失败的原因并修复"

可以放心让它独自工作的编程智能体：所做的一切都有记录，也都遵守规则。

命令（各有 --help）：
{commands}

另外：
  daedal -p PROMPT            同 daedal exec PROMPT
  daedal --eval JSON          手动调用一次工具，例如 '{{"tool":"Read","input":{{"file_path":"README.md"}}}}'
  daedal --lang en|zh …       所用的语言，对所有命令有效（否则取配置中的 `language`，再取 $LANG）
  daedal --version

退出码：
  0 完成 · 1 失败 · 2 用法或配置有误 · 53 达到限制
  75 提供方出现问题，值得稍后再试 · 130 被中断""",
    "cli.no_current_folder": "当前目录已不存在 · 请换到别的目录",
}
