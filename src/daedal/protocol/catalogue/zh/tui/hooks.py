"""/hooks 对人说的话。"""

WORDS = {
    "tui.hooks.about": "列出钩子及其最近的运行",
    "tui.hooks.title": "钩子",
    "tui.hooks.headings": "事件|匹配|命令|必需|由谁设置",
    "tui.hooks.none": "没有钩子 · 在设置中用 [[hooks]] 添加。",
    "tui.hooks.required": "是",
    "tui.hooks.last": "最近的运行，最新的在前",
    "tui.hooks.run_headings": "时间（UTC）|事件|结果|命令|输出",
    "tui.hooks.outcome_ran": "已运行",
    "tui.hooks.outcome_denied": "拒绝了调用",
    "tui.hooks.outcome_failed": "出错（退出码 {code}）",
    "tui.hooks.outcome_timed_out": "出错（超时）",
    "tui.hooks.outcome_invalid": "出错（答复无效）",
    "tui.hooks.outcome_broken": "出错（无法启动）",
    "tui.hooks.outcome_skipped": "已跳过（{reason}）",
}
