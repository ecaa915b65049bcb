"""`daedal trust` 对人说的话。"""

WORDS = {
    "cli.trust.example": "daedal trust",
    "cli.trust.about": "查看目录自带的钩子、服务器和设置会做什么，并允许它们",
    "cli.trust.folder": "目录（默认：这里的项目）",
    "cli.trust.yes": "不再询问，直接信任",
    "cli.trust.list": "你信任的目录",
    "cli.trust.revoke": "不再信任该目录",
    "cli.trust.no_folder": "{folder} 不是目录 · 请给出存在的目录",
    "cli.trust.nothing": "{folder} 中没有需要信任的内容。",
    "cli.trust.untrusted": "{folder} 未受信任。如果信任它，以下内容会生效：",
    "cli.trust.changed": "{folder} 在你信任之后有变化。如果重新信任，以下内容会生效：",
    "cli.trust.trusted": "{folder} 受信任。以下内容正在生效：",
    "cli.trust.question": "信任它吗？[y/N] ",
    "cli.trust.done": "{folder} 现已受信任；其中任何文件变化都会再询问。",
    "cli.trust.not_done": "没有任何更改。用 daedal trust --yes 可不经询问直接信任。",
    "cli.trust.revoked": "{folder} 不再受信任。",
    "cli.trust.not_trusted": "{folder} 本来就未受信任。",
    "cli.trust.none": "你没有信任任何目录。",
    "cli.trust.headings": "信任时间|状态|目录",
}
