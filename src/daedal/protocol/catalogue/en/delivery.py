"""What the delivery loop says to people."""

WORDS = {
    "delivery.no_specification": "SPEC.md not found in {project}",
    "delivery.unreadable_specification": "{path} cannot be read: {why}",
    "delivery.huge_specification": "{path} is larger than {limit} MiB · keep in it what is to be built, and the rest beside it",
    "delivery.foreign_specification": "{path}, line {line}: this is not UTF-8 text · save it as UTF-8",
    "delivery.empty_specification": "{path} is empty · write into it what is to be built",
    "delivery.linked_state": "{path} is a link, and may lead out of the project · replace it by what it stands for",
    "delivery.unreadable_status": "{path} cannot be read: {why}",
    "delivery.broken_status": (
        "{path} cannot be understood: {why} · nothing was changed, and a copy is kept as {aside}; mend the file, or remove it "
        "to plan anew"
    ),
    "delivery.held": (
        "daedal {command} (process {pid} on {host}) works on this project since {since} · wait for its end, watch it with "
        "daedal status --watch, or stop it with Ctrl-C there"
    ),
    "delivery.held_by_somebody": "another daedal works on this project · wait for its end, or see daedal status",
    "delivery.taken_up": "Going on where an earlier run was cut off, after {sessions} session(s)",
    "delivery.changed_by_others": "{path} was changed since the last run ended; it counts as it stands",
    "delivery.put_back": (
        "{path} was changed by somebody else while the run is at work · it was put back as the tools left it; what stood there "
        "is kept as {aside}"
    ),
    "delivery.put_back_removed": (
        "{path} was removed by somebody else while the run is at work · it was put back as the tools left it"
    ),
    "delivery.touched": "the session changed files of the project, although it may only look · see git status",
    "delivery.planned_nothing": "the session planned no deliverable",
    "delivery.changed_nothing": "the session changed nothing",
    "delivery.failed": "Session failed: {why} ({errors} in a row, {retries} retries allowed)",
    "delivery.overall": "Overall: {sessions} session(s), {counts}, cost=${cost}, duration={duration}",
    "delivery.passed_counts": "{passed}/{total} deliverables passed",
    "delivery.verified_counts": "{verified}/{total} verified",
    "delivery.ended.all_passed": "All achievable deliverables passed",
    "delivery.ended.all_verified": "All {total} deliverables verified",
    "delivery.ended.all_blocked": "All {total} deliverables are blocked",
    "delivery.ended.max_iterations": "Max iterations ({max_iterations}) reached",
    "delivery.ended.quota_exceeded": "Quota exceeded",
    "delivery.ended.interrupted": "User interrupted",
    "delivery.ended.max_retries_exceeded": "Max retries exceeded: {error}",
    "delivery.ended.budget_exceeded": "Budget used up",
    "delivery.ended.max_duration": "Max duration reached",
    "delivery.found.all_passed": "Verification complete, all passed",
    "delivery.found.partial": "Verification complete, partial impl",
    "delivery.found.some_blocked": "Verification complete, some blocked",
    "delivery.found.all_blocked": "Verification complete, all blocked",
    "delivery.silent_engine": "the engine does not answer any more",
    "delivery.turn_interrupted": "the turn was interrupted",
    "delivery.turn_failed": "the turn failed",
}
