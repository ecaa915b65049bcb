"""What the phases say to people."""

WORDS: dict[str, str] = {
    "phases.already": "it is in phase {phase} already",
    "phases.unknown": "it is in phase {before!r}, which is none, so it cannot go to {after} · go to planning",
    "phases.no_plan": "no plan of it is approved, and only an approved plan may be carried out · approve a plan first",
    "phases.not_covered": "not every success criterion has a passing test: {lack} · stay in test until all do, or go "
    "back to planning",
    "phases.no_tests": "no tests were generated from the plan",
    "phases.not_approved": "done needs the operator's approval · look at the results, then run daedal --transition done",
    "phases.test_first": "the tests come first: implement leads to test, and only from there to verify and done · go "
    "to test before {after}",
    "phases.only_planning": "{before} leads to planning alone, not to {after} · go to planning first",
    "phases.no_way": "{before} does not lead to {after} · it leads to {onward}, or back to planning",
}
