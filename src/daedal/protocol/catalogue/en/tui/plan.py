"""What /plan says to people."""

WORDS = {
    "tui.plan.about": "plan before anything is changed: into plan mode, out of it, or show the plan",
    "tui.plan.on": "Plan mode: nothing is changed until you approve a plan.",
    "tui.plan.off": "Plan mode is off.",
    "tui.plan.is_on": "Plan mode is on already.",
    "tui.plan.is_off": "Plan mode is not on.",
    "tui.plan.how_off": "Plan mode is on · /plan off leaves it, Shift+Tab too",
    "tui.plan.about_on": "plan first",
    "tui.plan.about_off": "leave plan mode",
    "tui.plan.about_show": "show the newest plan",
    "tui.plan.none": "There is no plan yet.",
    "tui.plan.shown": "The plan ({status}):",
    "tui.plan.draft": "not approved yet",
    "tui.plan.approved": "approved",
    "tui.plan.completed": "carried out",
    "tui.plan.superseded": "superseded",
}
