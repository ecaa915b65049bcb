"""What `daedal policy` says to people."""

WORDS = {
    "cli.policy.example": "daedal policy check bash < cases.jsonl",
    "cli.policy.about": "decide cases offline, or decide the past again under other rules",
    "cli.policy.check": "one JSON case per line in, one JSON answer per line out; nothing is executed",
    "cli.policy.kind": "what the cases are about: a command under the guard, a tool call under rules, a path, hook outcomes",
    "cli.policy.file": "the cases (default: standard input)",
    "cli.policy.unreadable": "cannot read {path}: {error} · give a file with one JSON case per line",
    "cli.policy.no_object": "a case is a JSON object",
    "cli.policy.replay": "decide every recorded call again under other rules, and show which verdicts would change",
    "cli.policy.rules": "a TOML or JSON file with a permissions table",
    "cli.policy.since": "only calls since then: 30d, 12h, or a date as 2026-05-01 (default: all)",
    "cli.policy.all": "also show calls whose verdict stays",
    "cli.policy.bad_since": '"{text}" is no time · write 30d, 12h, or a date as 2026-05-01',
    "cli.policy.headings": "when|session|call|was|would be",
    "cli.policy.not_by_rules": "not decided by rules",
    "cli.policy.summary": "{calls} calls decided again: {changed} would change; {others} were not decided by rules and stay",
}
