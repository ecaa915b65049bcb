"""驱动程序对人说的话。"""

WORDS = {
    "autopilot.claimed": "模型报告已完成；没有给出检查命令",
    "autopilot.proved": "检查通过：{check}",
    "autopilot.check_declined": (
        "检查命令不允许运行，无从证明目标已达成：{check}（{why}） · 请允许它，例如用 --allow，然后继续"
    ),
    "autopilot.blocked": "连续受阻 {count} 次：{reason} · 排除障碍后继续",
    "autopilot.limit": "已自动继续 {limit} 轮，达到上限 · 看看进展，然后继续或提高上限",
    "autopilot.trouble": "无法继续推进目标：{why} · daedal exec --continue 可接着做",
    "autopilot.state_unwritable": ("研究状态无法保存到 {path}：{why} · 让该目录可写，或去掉 --research"),
    "autopilot.unsaid": "它没有说明受阻的原因",
}
