"""外来引擎对人说的话。"""

WORDS = {
    "guests.unknown": "没有名为 {engine} 的引擎 · 请选择 native、codex 或 claude",
    "guests.claude.limits": (
        "claude：每次调用都由我们的规则裁决，命令由 Daedal 运行，你的 MCP 服务器、技能和智能体借给它使用；它在这里不能："
        "控制美元预算、查看你给的图片、在后台运行命令，以及使用它自己的设置、服务器和子智能体"
    ),
    "guests.claude.missing": "引擎 claude 需要单独的软件包 · 安装：pip install 'daedal[claude]'",
    "guests.claude.no_login": "claude 既没有登录也没有密钥 · 运行 claude /login，或设置 ANTHROPIC_API_KEY",
    "guests.claude.no_program": ("本机的 claude-agent-sdk 没有附带程序 · npm install -g @anthropic-ai/claude-code"),
    "guests.claude.no_walls": "这里没有办法限制 claude（{why}）；只有规则约束它",
    "guests.codex.limits": (
        "codex：每条命令和每次文件更改都由我们的规则裁决，你的 MCP 服务器、技能和智能体借给它使用；它在这里不能："
        "控制美元预算、查看你给的图片、运行被钩子改过的命令或补丁、只访问列出的域名，以及使用它自己的服务器、插件和网络搜索"
    ),
    "guests.codex.missing": "PATH 中没有 codex · 安装：npm install -g @openai/codex",
    "guests.codex.no_login": "codex 既没有登录也没有密钥 · 运行 codex login，或设置 OPENAI_API_KEY",
    "guests.codex.no_walls": ("codex 没有建立所要求的沙箱，因此没有启动任何东西 · 请更新它，或用 --no-sandbox"),
    "guests.failed": "{engine} 放弃了：{why}",
    "guests.forgotten": "{engine} 已没有这段对话（{why}）；会把说过的内容告诉它",
    "guests.ran_unasked": ("{engine} 擅自做了规则拒绝的事（{what}），该轮已停止 · 见 daedal sessions"),
    "guests.gone": "{engine} 在工作途中结束：{why} · 恢复以继续",
    "guests.later_tools": ("{engine} 不知道对话开始后才有的工具（{tools}） · 要使用它们，请新建对话"),
    "guests.no_reason": "没有给出原因",
    "guests.refused": "{engine} 拒绝：{why}",
    "guests.silent": "{engine} 在 {seconds} 秒内没有应答 {what} · 恢复以继续",
    "guests.stopped": "{engine} 自行停止了该轮 · 恢复以继续",
    "guests.unwanted_tool": "{engine} 不接受工具 {tool}，因此不带它工作：{why}",
}
