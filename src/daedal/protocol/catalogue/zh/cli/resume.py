"""`daedal resume` 对人说的话。"""

WORDS = {
    "cli.resume.example": "daedal resume",
    "cli.resume.about": "在聊天中继续以前的会话",
    "cli.resume.session": "它的 id（前几个字符即可）；省略则从列表中选",
    "cli.resume.how": "继续其中一个：daedal resume ID",
}
