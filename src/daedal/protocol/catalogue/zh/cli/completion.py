"""`daedal completion` 对人说的话。"""

WORDS = {
    "cli.completion.example": "source <(daedal completion bash)",
    "cli.completion.about": "输出 bash、zsh 或 fish 的补全脚本",
    "cli.completion.shell": "哪种 shell",
}
