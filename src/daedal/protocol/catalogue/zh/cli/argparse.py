"""argparse 自己说的话。"""

WORDS = {
    "cli.argparse.usage": "用法: ",
    "cli.argparse.positionals": "位置参数",
    "cli.argparse.options": "选项",
    "cli.argparse.help": "显示本帮助并退出",
    "cli.argparse.argument": "参数 %(argument_name)s: %(message)s",
    "cli.argparse.unrecognized": "无法识别的参数: %s",
    "cli.argparse.required": "缺少必需的参数: %s",
    "cli.argparse.choice": "无效的取值 %(value)r (可选: %(choices)s)",
    "cli.argparse.value": "无效的 %(type)s 值: %(value)r",
    "cli.argparse.expected_one": "需要一个参数值",
    "cli.argparse.expected_most": "最多只能有一个参数值",
    "cli.argparse.expected_least": "至少需要一个参数值",
    "cli.argparse.ignored": "多余的参数值 %r 已忽略",
    "cli.argparse.exclusive": "不能与参数 %s 同时使用",
}
