"""模型提问的卡片对人说的话。"""

WORDS = {
    "tui.inquiry.own": "其他：",
    "tui.inquiry.own_hint": "请输入",
    "tui.inquiry.review": "确认",
    "tui.inquiry.review_title": "就这样发送吗？",
    "tui.inquiry.open": "未回答",
    "tui.inquiry.required": "这一项必须回答",
    "tui.inquiry.number": "问题 {number}",
    "tui.inquiry.keys_one": "↑↓ 或数字，Enter 选定",
    "tui.inquiry.keys_many": "空格勾选，Enter 完成",
    "tui.inquiry.keys_text": "Enter 确定",
    "tui.inquiry.keys_tabs": "Tab：下一个问题",
    "tui.inquiry.keys_review": "Enter 发送 · Shift+Tab 返回",
    "tui.inquiry.keys_leave": "Esc：不回答",
}
