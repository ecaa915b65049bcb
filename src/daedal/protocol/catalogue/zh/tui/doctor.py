"""/doctor 对人说的话。"""

WORDS = {
    "tui.doctor.about": "说明这里哪些能用、缺什么、该怎么办",
    "tui.doctor.looking": "正在检查，并从沙箱内部尝试突破 …",
    "tui.doctor.title": "检查（daedal {version}）",
    "tui.doctor.headings": " |项目|结果",
    "tui.doctor.wrong": "缺少 {count} 项。",
    "tui.doctor.fine": "需要的都能用。",
}
