"""/review 对人说的话。"""

WORDS = {
    "tui.review.about": "评审改动：尚未提交的、一个分支、一个提交，或你指定的内容",
    "tui.review.question": "要评审什么？",
    "tui.review.uncommitted": "尚未提交的内容",
    "tui.review.branch": "此分支与另一个分支相比",
    "tui.review.commit": "一个提交",
    "tui.review.custom": "其他，由你说明",
    "tui.review.words": "要看什么，怎么看？",
    "tui.review.which_branch": "与哪个分支相比？",
    "tui.review.which_commit": "哪个提交？",
    "tui.review.no_branch": "这里没有别的分支",
    "tui.review.no_commit": "这里没有提交",
}
