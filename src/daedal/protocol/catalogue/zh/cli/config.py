"""`daedal config` 对人说的话。"""

WORDS = {
    "cli.config.example": "daedal config set default_model claude_code_subscription/claude_opus_4",
    "cli.config.about": "显示每个设置、它的值和由谁设置；读取、设置、取消一个设置；显示路径",
    "cli.config.action": "list（默认）、get KEY、set KEY VALUE、unset KEY 或 path",
    "cli.config.key": "一个设置，如 agent.max_steps",
    "cli.config.value": "TOML 值；不带引号的词当作文本",
    "cli.config.project": "更改项目的 daedal.toml，而不是用户的 config.toml",
    "cli.config.takes_0": "config {action} 不再接受参数",
    "cli.config.takes_1": "config {action} 需要一个键 · daedal config {action} agent.max_steps",
    "cli.config.takes_2": "config {action} 需要一个键和一个值 · daedal config {action} agent.max_steps 100",
    "cli.config.from_files": "这些是文件中的设置；账本没有给出内容：{trouble}",
    "cli.config.set": "{file} 中 {key} = {value}",
    "cli.config.unset": "已从 {file} 删除 {key}",
    "cli.config.headings": "设置|值|由谁设置",
    "cli.config.path_exists": "{name:<8} {path}",
    "cli.config.path_missing": "{name:<8} {path}（不存在）",
}
