"""/skills 对人说的话。"""

WORDS = {
    "tui.skills.about": "列出这里可载入的技能",
    "tui.skills.title": "技能",
    "tui.skills.headings": "名称|归属|说明",
    "tui.skills.how": "模型在需要时载入；你可以用名称调用。",
    "tui.skills.none": "没有技能 · 可写在 .daedal/skills/NAME/SKILL.md",
    "tui.skills.unknown": "没有技能 {name} · /skills 列出所有技能",
    "tui.skills.what": "作用",
    "tui.skills.usage": "调用方式",
    "tui.skills.runs": "运行",
    "tui.skills.apart": "在子智能体中",
    "tui.skills.here": "在会话本身",
    "tui.skills.from": "来源",
    "tui.skills.project": "项目",
    "tui.skills.user": "你的",
}
