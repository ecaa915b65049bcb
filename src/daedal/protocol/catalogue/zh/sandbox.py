"""沙箱对人说的话。"""

WORDS = {
    "sandbox.left_behind": "{command} 仍在运行，而启动它的 daedal 已不在 · daedal tasks stop {id} 可结束它",
}
