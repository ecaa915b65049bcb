"""What `daedal demo` says to people."""

WORDS = {
    "cli.demo.example": "daedal demo",
    "cli.demo.about": "watch the main job with nothing configured: a specification becomes a program, verified",
    "cli.demo.keep": "make the project in DIR, which must be new or empty (default: a temporary folder)",
    "cli.demo.not_empty": "{folder} is not an empty folder · choose another for --keep",
    "cli.demo.git_failed": "git could not make the demo project: {error}",
    "cli.demo.intro": (
        "A demo with nothing configured: daedal run turns this SPEC.md into a program while nobody watches. The model's\n"
        "replies are recorded ones; the loop, the tools, the sandbox, git, the tests and the ledger are real.\n"
        "The project: {folder}\n"
    ),
    "cli.demo.quoted": "  │ {line}",
    "cli.demo.step": "  {line}",
    "cli.demo.said": "“{text}”",
    "cli.demo.command": "Bash {command} → exit code {code}",
    "cli.demo.call": "{tool} {subject}",
    "cli.demo.refused": "{call} → refused: {why}",
    "cli.demo.ran": "$ {command}\n{output}",
    "cli.demo.further": """
look further:
  cd {folder} && git log --stat
  {daedal} status --project-dir {folder}
  {daedal} receipts verify
then, with a model and a SPEC.md of your own:
  {daedal} setup
  {daedal} run""",
}
