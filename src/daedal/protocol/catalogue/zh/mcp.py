"""`mcp` 这一层说的话。"""

WORDS: dict[str, str] = {
    # 设置中的条目。
    "mcp.left_out": "{where}：MCP 服务器 {name} 已略去：{why}",
    "mcp.note": "{where}：MCP 服务器 {name}：{why}",
    "mcp.twice": "{name} 已在 {other} 声明（两者都成为 {slug}） · 请给其中一个改名",
    "mcp.too_many": "服务器超过 {count} 个 · 请去掉一些",
    "mcp.not_a_table": "不是表 · 请写 [[plugins]]，含 name 和 command，或 name 和 url",
    "mcp.unknown_key": "未知的键 {key} 已忽略 · docs/guides/mcp.md 列出了所有键",
    "mcp.unknown_key_near": "未知的键 {key} 已忽略 · 是否想写 {near}？",
    "mcp.no_name": "没有由字母或数字组成的名称 · 请添加 name",
    "mcp.no_command": "没有命令 · 请添加 command，远程服务器则添加 url",
    "mcp.unset": "变量 {variable} 没有设置，或项目不得查看它 · 请设置，或写成 ${{{variable}:-default}}",
    "mcp.bad_type": "未知的类型 {type} · 可用类型：{known}",
    "mcp.bad_url": "url 不是地址 · 写法如 https://example.com/mcp",
    "mcp.bad_key": "{key} 必须是{wanted}",
    "mcp.wanted.text": "文本",
    "mcp.wanted.texts": "文本列表",
    "mcp.wanted.table": "文本的表",
    "mcp.wanted.seconds": "秒数（0 表示用默认值）",
    "mcp.wanted.seconds_by_tool": "工具名到秒数的表",
    "mcp.not_for_a_project": "trusted_read_only_tools 已忽略：项目不能为自己担保 · 请写在自己的配置中",
    "mcp.bad_json": "{path}：mcpServers 不是服务器的对象 · 请修正该文件",
    "mcp.server_exists": "{path} 中已有另一个名为 {name} 的服务器 · 请在那里编辑，或换一个名字",
    # 工作中的服务器。
    "mcp.withheld": "MCP 服务器 {name} 提供的工具中，这些是你接受之后新增或改变的，暂不使用："
    "{tools} · 用 daedal mcp test {slug} 查看，用 daedal mcp trust {slug} 接受",
    "mcp.failed": "MCP 服务器 {name} 无法使用：{why} · 用 daedal mcp test {slug} 测试",
    "mcp.login_needed": "MCP 服务器 {name} 需要登录 · 运行 daedal mcp login {slug}",
    "mcp.header_refused": "MCP 服务器 {name} 拒绝了你在设置中给出的 Authorization 头 · 检查它的值",
    "mcp.approvals_unreadable": "{path} 没有写明你接受了哪些工具（{reason}），因此不使用任何 MCP 服务器的工具 · "
    "请修正它，或移走后重新接受",
    "mcp.tokens_unreadable": "{path} 中没有登录信息（{reason}） · 请修正它，或移走后重新登录",
    # 登录。
    "mcp.login.not_remote": "{name} 在本机启动，没有登录一说",
    "mcp.login.has_header": "{name} 发送自己的 Authorization 头 · 去掉它才能改用登录",
    "mcp.login.not_asked": "{name} 没有要求登录；没有保存任何内容",
    "mcp.login.timed_out": "{seconds} 秒内没有人应答 · 请重新运行 daedal mcp login {slug}",
    "mcp.login.refused": "登录失败：{reason}",
    # 出借我们自己的工具。
    "mcp.lending.no_such_tool": "没有工具 {name!r} 可借出 · 可借的有 {known}",
    "mcp.lending.never": "{name} 不能借出：它引导的是只在这里发生的对话 · 可借出其他工具：{known}",
    "mcp.lending.question": "允许 {tool} 这样做吗？\n\n{what}\n\nDaedal 询问的原因：{reason}（规则：{rule}）。",
    "mcp.lending.more": "\n… 还有 {count} 个字符未显示",
}
