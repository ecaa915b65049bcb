"""/plan 对人说的话。"""

WORDS = {
    "tui.plan.about": "改动之前先规划：进入计划模式、退出，或显示计划",
    "tui.plan.on": "计划模式：在你批准计划之前不做任何改动。",
    "tui.plan.off": "计划模式已关闭。",
    "tui.plan.is_on": "计划模式已经打开。",
    "tui.plan.is_off": "计划模式没有打开。",
    "tui.plan.how_off": "计划模式已打开 · /plan off 退出，Shift+Tab 也可以",
    "tui.plan.about_on": "先规划",
    "tui.plan.about_off": "退出计划模式",
    "tui.plan.about_show": "显示最新的计划",
    "tui.plan.none": "还没有计划。",
    "tui.plan.shown": "计划（{status}）：",
    "tui.plan.draft": "尚未批准",
    "tui.plan.approved": "已批准",
    "tui.plan.completed": "已执行",
    "tui.plan.superseded": "已被取代",
}
