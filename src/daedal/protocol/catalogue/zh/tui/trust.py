"""/trust 对人说的话。"""

WORDS = {
    "tui.trust.about": "查看此目录的文件会使什么生效，并决定是否信任",
    "tui.trust.nothing": "{folder}：没有需要信任的内容。",
    "tui.trust.trusted": "{folder} 受信任。正在生效：",
    "tui.trust.changed": "{folder} 曾受信任，但此后有变化。重新信任之前不生效：",
    "tui.trust.untrusted": "{folder} 未受信任。信任会使以下内容生效：",
    "tui.trust.question": "信任此目录吗？仅限这些内容。",
    "tui.trust.yes": "信任",
    "tui.trust.no": "不信任",
    "tui.trust.done": "{folder} 已受信任。下次启动 daedal 时生效。",
    "tui.trust.not_done": "该目录未受信任。",
    "tui.trust.about_revoke": "收回信任",
    "tui.trust.revoked": "{folder} 不再受信任。下次启动时生效。",
    "tui.trust.was_not": "{folder} 本来就未受信任。",
}
