"""`daedal plan` 对人说的话。"""

WORDS = {
    "cli.plan.example": "daedal plan approve",
    "cli.plan.about": "对话的计划：列出、查看一个、批准草稿",
    "cli.plan.action": "做什么：list（默认）、show 最新的，或 approve 最新的草稿",
    "cli.plan.which": "此编号的计划；若之后写了更新的，approve 会拒绝",
    "cli.plan.conversation": "此 id 或其开头所指的对话（默认：这里最新的）",
    "cli.plan.headings": "计划|状态|写成|批准|哈希|开头",
    "cli.plan.none": '这里还没有计划。 · daedal exec --permission-mode plan "…" 可制定一个',
    "cli.plan.unknown": "这里没有计划 {plan}。 · daedal plan 会列出它们",
    "cli.plan.shown": "计划 {plan} · {status} · {hash}",
    "cli.plan.shown_draft": "计划 {plan} · {status} · {hash} · daedal plan approve --plan {plan}",
    "cli.plan.not_newest": "{id}：计划 {plan} 不是最新的，最新的是计划 {newest} · 用 daedal plan show 查看",
    "cli.plan.no_draft": "{id} 没有可批准的草稿（最新计划：{status}）",
    "cli.plan.not_planning": "{id} 处于 {phase} 阶段，而计划只在 planning 时批准"
    " · daedal --transition planning --conversation {id}",
    "cli.plan.approved": "{id}：计划 {plan}（{hash}，“{begins}”）已批准，planning → implement"
    ' · daedal exec --continue "执行计划。"',
}
