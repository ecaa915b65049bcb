"""`daedal doctor` 对人说的话。"""

WORDS = {
    "cli.doctor.example": "daedal doctor --json",
    "cli.doctor.about": "说明这里哪些能用、缺什么、该怎么办",
}
