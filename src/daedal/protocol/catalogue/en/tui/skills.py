"""What /skills says to people."""

WORDS = {
    "tui.skills.about": "list the skills that can be loaded here",
    "tui.skills.title": "Skills",
    "tui.skills.headings": "NAME|WHOSE|ABOUT",
    "tui.skills.how": "The model loads one when it needs it; you call one by its name.",
    "tui.skills.none": "There are no skills · write one to .daedal/skills/NAME/SKILL.md",
    "tui.skills.unknown": "there is no skill {name} · /skills lists them",
    "tui.skills.what": "does",
    "tui.skills.usage": "called by",
    "tui.skills.runs": "runs",
    "tui.skills.apart": "in a sub-agent",
    "tui.skills.here": "in the session itself",
    "tui.skills.from": "from",
    "tui.skills.project": "project",
    "tui.skills.user": "yours",
}
