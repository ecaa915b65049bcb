"""`daedal status` 对人说的话。"""

WORDS = {
    "cli.status.example": "daedal status --watch",
    "cli.status.about": "显示交付进展，在另一个终端运行时也可以",
    "cli.status.watch": "有变化就重新显示，直到 Ctrl-C",
    "cli.status.none": "{project} 中还没有规划 · 编写 SPEC.md，然后 daedal run",
    "cli.status.headings": "id|状态|会话|用时|费用|描述",
    "cli.status.summary": "{passed}/{total} 通过 · {pending} 待办 · {blocked} 受阻 · {stale} 过时",
    "cli.status.verified": " · {verified} 已核验",
    "cli.status.sessions": "{sessions} 个会话 · ${cost} · {duration}",
    "cli.status.running": "daedal {command} 正在工作（进程 {pid}，自 {since}）：会话 {number}，{instruction}",
    "cli.status.ended": "上次 daedal {command} 已结束：{reason}",
    "cli.status.cut_off": "上次 daedal {command} 被中断 · daedal {command} 会接着做",
}
