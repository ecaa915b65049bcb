"""闸门对人说的话。"""

WORDS = {
    "permissions.invalid": "{behavior} 规则 {rule!r} 已略去：{why}",
    "permissions.empty": "它是空的 · 请写工具名，如 Bash，或 Bash(git status)",
    "permissions.unreadable": "它太长，或含有控制字符 · 请重写",
    "permissions.parentheses": "括号没有在末尾闭合 · 请写成 Tool 或 Tool(specifier)",
    "permissions.no_specifier": "括号之间没有内容 · 若针对该工具的所有调用，请写 {tool}",
    "permissions.tool_name": "{name!r} 不是工具名 · 工具名以大写字母开头，如 Bash、Edit 或 WebFetch",
    "permissions.mcp_specifier": "MCP 工具的规则不带括号 · 请写 mcp__server 或 mcp__server__tool",
    "permissions.mcp_name": "没有写明 MCP 服务器 · 请写 mcp__server、mcp__server__* 或 mcp__server__tool",
    "permissions.no_prefix": ":* 之前没有命令 · 若针对所有命令请写 Bash，或写 Bash(git status:*)",
    "permissions.prefix_inside": ":* 只在末尾有效 · 请写 Bash(git log:*)，或在命令中间用单独的 *",
    "permissions.domain": "域名不是主机名 · 请写 WebFetch(domain:example.com)，不带协议、端口或路径",
    "permissions.address": "既不是域名也不是 URL · 请写 WebFetch(domain:example.com)",
    "permissions.prefix_of_path": ":* 用于命令 · 若针对目录中的内容，请写 Edit(docs/**)",
    "permissions.negation": "规则不能以 ! 开头 · 请放进另一个列表",
    "permissions.pattern": "无法读懂其模式（{reason}） · 路径的写法同 .gitignore",
}
