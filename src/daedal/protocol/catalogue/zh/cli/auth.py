"""`daedal auth` 对人说的话。"""

WORDS = {
    "cli.auth.example": "daedal auth status\ndaedal auth login --device",
    "cli.auth.about": "在提供方登录、退出登录，查看用的是哪个凭据及原因",
    "cli.auth.action": "login：在浏览器中登录，或用 --device · logout：忘掉并吊销 · status：按顺序列出所有来源",
    "cli.auth.provider": "提供方（默认：所用模型的提供方）",
    "cli.auth.device": "本机没有浏览器时，用代码在另一台设备上登录",
    "cli.auth.bare": "status：在 --bare 下有效的来源",
    "cli.auth.open": "请打开此地址登录：\n\n  {address}\n",
    "cli.auth.enter": "在任意设备上打开 {address}，输入此代码：\n\n  {code}\n",
    "cli.auth.logged_in": "已登录 {provider}：{detail}",
    "cli.auth.logged_out": "已退出 {provider}",
    "cli.auth.was_not": "没有在 {provider} 登录过",
    "cli.auth.still": "{why} · 那不是登录，因此保留",
    "cli.auth.headings": "顺序|状态|来源|详情",
    "cli.auth.in_use": "使用中",
    "cli.auth.outranked": "被优先者取代",
    "cli.auth.absent": "-",
}
