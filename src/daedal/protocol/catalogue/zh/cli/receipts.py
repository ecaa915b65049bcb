"""`daedal receipts` 对人说的话。"""

WORDS = {
    "cli.receipts.example": "daedal receipts verify",
    "cli.receipts.about": "显示证明过什么，并检查记录没有被篡改",
    "cli.receipts.action": "list（默认），或 verify：走完整条链",
    "cli.receipts.limit": "列出多少条，最新的在前（默认：20）",
    "cli.receipts.none": "还没有回执",
    "cli.receipts.headings": "编号|时间|类型|会话|哈希|内容",
    "cli.receipts.whole": "共 {count} 条回执，链完整",
    "cli.receipts.broken": "{count} 条回执的链在第 {number} 号处断开 · 有人更改或删除了一条；其后的都不能作为证明",
}
