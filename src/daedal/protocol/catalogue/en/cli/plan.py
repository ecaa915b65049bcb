"""What `daedal plan` says to people."""

WORDS = {
    "cli.plan.example": "daedal plan approve",
    "cli.plan.about": "the plans of a conversation: list them, read one, approve a draft",
    "cli.plan.action": "what to do: list (default), show the newest, or approve the newest draft",
    "cli.plan.which": "the plan with this number; approve refuses where a newer one was written since",
    "cli.plan.conversation": "the conversation with this id, or the beginning of it (default: the newest here)",
    "cli.plan.headings": "plan|status|written|approved|hash|begins",
    "cli.plan.none": 'No plan here yet. · daedal exec --permission-mode plan "…" makes one',
    "cli.plan.unknown": "There is no plan {plan} here. · daedal plan lists them",
    "cli.plan.shown": "plan {plan} · {status} · {hash}",
    "cli.plan.shown_draft": "plan {plan} · {status} · {hash} · daedal plan approve --plan {plan}",
    "cli.plan.not_newest": "{id}: plan {plan} is not the newest, plan {newest} is · read that one with daedal plan show",
    "cli.plan.no_draft": "{id} has no draft that could be approved (newest plan: {status})",
    "cli.plan.not_planning": "{id} is in the phase {phase}, and a plan is approved only while planning"
    " · daedal --transition planning --conversation {id}",
    "cli.plan.approved": "{id}: plan {plan} ({hash}, “{begins}”) is approved, planning → implement"
    ' · daedal exec --continue "Carry out the plan."',
}
