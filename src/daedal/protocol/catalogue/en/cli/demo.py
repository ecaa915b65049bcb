"""What `daedal demo` says to people."""

WORDS = {
    "cli.demo.example": "daedal demo",
    "cli.demo.about": "watch the main job with nothing configured: find a bug, fix it, prove it",
    "cli.demo.keep": "make the project in DIR, which must be new or empty (default: a temporary folder)",
    "cli.demo.not_empty": "{folder} is not an empty folder · choose another for --keep",
    "cli.demo.git_failed": "git could not make the demo project: {error}",
    "cli.demo.intro": (
        "A demo with nothing configured. The model's replies are recorded ones; the tools, git, the tests and the\n"
        "ledger are real. The project: {folder}\n"
    ),
    "cli.demo.prompt": "A test fails. Find the bug, fix it, and show that the tests pass.",
    "cli.demo.before": "tests before: {verdict}\n",
    "cli.demo.after": "\ntests after: {verdict}\n",
    "cli.demo.headings": "#|TOOL|ON|RESULT|TIME",
    "cli.demo.exit_code": "exit code {code}",
    "cli.demo.diff": "\nwhat changed:\n{diff}",
    "cli.demo.further": """
look further:
  {daedal} sessions show {id}
  {daedal} export {id} --format markdown
  cd {folder} && git diff
then, with a model of your own:
  {daedal} setup
  {daedal} exec "…\"""",
}
