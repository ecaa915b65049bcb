"""What `daedal skills` says to people."""

WORDS = {
    "cli.skills.example": "daedal skills show review",
    "cli.skills.about": "list the skills that a model can load here, or read one",
    "cli.skills.action": "what to do: list (default), or show one as the model reads it",
    "cli.skills.name": "with show: the skill",
    "cli.skills.name_with_show": "show takes the name of a skill, and only show does · daedal skills show review",
    "cli.skills.headings": "SKILL|FROM|RUNS|MODEL|DOES",
    "cli.skills.here": "in the session",
    "cli.skills.apart": "as a sub-agent",
    "cli.skills.how": "runs {how} · model: {model} · arguments: {arguments}",
    "cli.skills.none": "No skills · put folders with a SKILL.md into .daedal/skills/, as docs/guides/skills-and-agents.md shows",
}
