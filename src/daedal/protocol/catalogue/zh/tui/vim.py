"""/vim 对人说的话。"""

WORDS = {
    "tui.vim.about": "输入框使用 vi 按键，或改回 shell 按键",
    "tui.vim.on": "输入框现在使用 vi 按键。/vim 可切换回来。",
    "tui.vim.off": "输入框现在使用 shell 按键。",
}
