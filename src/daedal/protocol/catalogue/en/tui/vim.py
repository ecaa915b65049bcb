"""What /vim says to people."""

WORDS = {
    "tui.vim.about": "vi keys in the composer, or a shell's again",
    "tui.vim.on": "The composer has vi keys now. /vim switches back.",
    "tui.vim.off": "The composer has a shell's keys now.",
}
