"""What `daedal phase` says to people."""

WORDS = {
    "cli.phase.example": "daedal phase",
    "cli.phase.about": "how far the work has come: phase, plan, and what may come next",
    "cli.phase.conversation": "the conversation with this id, or the beginning of it (default: the newest here)",
    "cli.phase.all": "the recent conversations of all folders",
    "cli.phase.limit": "with --all: so many (default: 20)",
    "cli.phase.none": "No conversation here yet.",
    "cli.phase.no_plan": "none",
    "cli.phase.line": "{id}  {phase}  (plan: {plan}; {project_dir})",
    "cli.phase.open": "  → {phase}",
    "cli.phase.blocked": "  ✗ {phase}: {reason}",
}
