"""交付循环对人说的话。"""

WORDS = {
    "delivery.no_specification": "在 {project} 中没有找到 SPEC.md",
    "delivery.unreadable_specification": "无法读取 {path}：{why}",
    "delivery.huge_specification": "{path} 超过 {limit} MiB · 其中只写要构建什么，其余放在旁边",
    "delivery.foreign_specification": "{path} 第 {line} 行：不是 UTF-8 文本 · 请以 UTF-8 保存",
    "delivery.empty_specification": "{path} 是空的 · 请写明要构建什么",
    "delivery.linked_state": "{path} 是链接，可能指向项目之外 · 请换成它所指的内容",
    "delivery.unreadable_status": "无法读取 {path}：{why}",
    "delivery.broken_status": (
        "无法理解 {path}：{why} · 未做任何更改，副本保存为 {aside}；请修正该文件，或删除它以重新规划"
    ),
    "delivery.held": (
        "daedal {command}（{host} 上的进程 {pid}）自 {since} 起正在处理此项目 · 等它结束，用 daedal status --watch 观看，"
        "或在那里按 Ctrl-C 停止"
    ),
    "delivery.held_by_somebody": "另一个 daedal 正在处理此项目 · 等它结束，或看 daedal status",
    "delivery.taken_up": "从上次中断处继续，此前已有 {sessions} 个会话",
    "delivery.changed_by_others": "{path} 在上次运行结束后被改动过；以现状为准",
    "delivery.put_back": ("运行期间 {path} 被别人改动 · 已恢复为工具写下的样子；改动的内容保存为 {aside}"),
    "delivery.put_back_removed": "运行期间 {path} 被别人删除 · 已恢复为工具写下的样子",
    "delivery.touched": "此会话只能查看，却改动了项目中的文件 · 请看 git status",
    "delivery.planned_nothing": "此会话没有规划出任何交付项",
    "delivery.changed_nothing": "此会话没有改动任何内容",
    "delivery.failed": "会话失败：{why}（连续 {errors} 次，最多重试 {retries} 次）",
    "delivery.overall": "总计：{sessions} 个会话，{counts}，费用 ${cost}，用时 {duration}",
    "delivery.passed_counts": "{passed}/{total} 个交付项通过",
    "delivery.verified_counts": "{verified}/{total} 个已核验",
    "delivery.ended.all_passed": "所有可完成的交付项均已通过",
    "delivery.ended.all_verified": "全部 {total} 个交付项均已核验",
    "delivery.ended.all_blocked": "全部 {total} 个交付项均受阻",
    "delivery.ended.max_iterations": "达到最大迭代次数（{max_iterations}）",
    "delivery.ended.quota_exceeded": "配额已用尽",
    "delivery.ended.interrupted": "被用户中断",
    "delivery.ended.max_retries_exceeded": "超过最大重试次数：{error}",
    "delivery.ended.budget_exceeded": "预算已用完",
    "delivery.ended.max_duration": "达到最长时间",
    "delivery.found.all_passed": "核验完成，全部通过",
    "delivery.found.partial": "核验完成，部分已实现",
    "delivery.found.some_blocked": "核验完成，部分受阻",
    "delivery.found.all_blocked": "核验完成，全部受阻",
    "delivery.silent_engine": "引擎不再应答",
    "delivery.turn_interrupted": "本轮被中断",
    "delivery.turn_failed": "本轮失败",
}
