"""What /review says to people."""

WORDS = {
    "tui.review.about": "review a change: what is not committed, a branch, a commit, or what you say",
    "tui.review.question": "What shall be reviewed?",
    "tui.review.uncommitted": "what is not committed yet",
    "tui.review.branch": "this branch against another one",
    "tui.review.commit": "one commit",
    "tui.review.custom": "something else, in your words",
    "tui.review.words": "What shall be looked at, and how?",
    "tui.review.which_branch": "Against which branch?",
    "tui.review.which_commit": "Which commit?",
    "tui.review.no_branch": "there is no other branch here",
    "tui.review.no_commit": "there is no commit here",
}
