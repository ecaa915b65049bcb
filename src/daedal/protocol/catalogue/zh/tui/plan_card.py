"""计划卡片对人说的话。"""

WORDS = {
    "tui.plan_card.title": "计划",
    "tui.plan_card.question": "执行它吗？",
    "tui.plan_card.yes": "执行，编辑和命令照常询问我",
    "tui.plan_card.yes_edits": "执行，接受编辑，命令询问我",
    "tui.plan_card.yes_all": "执行，计划完成之前不再询问",
    "tui.plan_card.no": "不，继续规划：说明缺什么",
    "tui.plan_card.edit": "先编辑计划（Ctrl+G，用 $EDITOR）",
    "tui.plan_card.comment": "应该怎样改？",
}
