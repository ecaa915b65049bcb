"""`daedal acp` 对人说的话。"""

WORDS = {
    "cli.acp.example": "daedal acp   # 由编辑器启动；指南见 docs/guides/editors.md",
    "cli.acp.about": "让编辑器通过 Agent Client Protocol 使用 Daedal",
    "cli.acp.max_turns": "一条提示词最多调用模型 N 次",
    "cli.acp.max_budget": "会话花费达到此数时停止",
    "cli.acp.waiting": "正在等待编辑器以 Agent Client Protocol 通信 · Ctrl-C 结束",
    "cli.acp.no_pipe": "此命令通过管道与编辑器通信 · 请在编辑器中配置启动 daedal acp",
}
