"""What is the model told about its goal? A block before each prompt, outside of the system prompt.

These words are for the model; those for people are in the catalogue.
"""

from daedal.protocol.goals import GoalCheck, GoalStrategy, ThreadGoal

BLOCKED_MAX = 3
"""So many turns in a row that end with the same thing in the way end the work."""

CONTINUE = "Continue with the goal from where it stands. Do the next useful step; do not ask whether to go on."

REPORT = """\
Nobody answers between your turns. End each turn's last message with one of these marks, alone in its last line:
[goal:continue]  there is more to do; you will be asked again
[goal:complete]  all of it is reached, and you have checked it yourself
[goal:blocked: <short reason>]  you cannot go on without something only the user can give"""

CHECKED = """\
Your word that it is complete is not taken for it. When you claim it, this command is run in the project, and only its \
success counts: {check}
Do not weaken, skip or replace what it checks."""

RESEARCH = """\
Work by the AutoResearch protocol:
1. State what you want to find out or change next, and how you would notice that you are wrong.
2. Gather evidence: read, run, measure. Note commands and numbers, not impressions.
3. Change one thing at a time, and measure again with the same command.
4. Keep what is better by the measure, take back what is not, and say what failed, so that nothing is tried twice.
5. Before the mark, sum up the turn in a few lines: what was tried, what came of it, what is next.
These sums are kept for you in {folder}/journal.md (the state of the run is in state.json beside it, the objective in \
goal.md). Read the journal when you no longer know what was tried. Do not write there yourself, and do not write the \
state of this run into AGENTS.md, project instructions or memories."""


def words(goal: ThreadGoal) -> str:
    parts = [
        "<active-goal>",
        f"The user has set a goal, and you work at it over as many turns as it takes:\n{goal.objective}",
        f"Turns that followed by themselves so far: {goal.continuations} of at most {goal.limit}.",
    ]
    if goal.blocked is not None:
        parts.append(f"You have been blocked {goal.blocked.count} of {BLOCKED_MAX} times by: {goal.blocked.reason}")
    if goal.strategy is GoalStrategy.RESEARCH and goal.state_dir is not None:
        parts.append(RESEARCH.format(folder=goal.state_dir))
    if goal.check is not None:
        parts.append(CHECKED.format(check=goal.check))
    return "\n\n".join([*parts, REPORT, "</active-goal>"])


def refused(check: GoalCheck) -> str:
    """The model claimed to be done, and the check says otherwise."""
    return (
        f"You reported the goal as complete, but its check fails: `{check.command}` ended with exit code "
        f"{check.exit_code}. The end of its output:\n\n{check.output}\n\n"
        "Find out why, mend it, and run the check yourself before you claim it again."
    )
