"""阶段对人说的话。"""

WORDS: dict[str, str] = {
    "phases.already": "它已处于 {phase} 阶段",
    "phases.unknown": "它处于 {before!r} 阶段，而没有这样的阶段，因此不能转到 {after} · 请转到 planning",
    "phases.no_plan": "它没有已批准的计划，而只有批准的计划才能执行 · 请先批准一个计划",
    "phases.not_covered": "并非每条成功标准都有通过的测试：{lack} · 留在 test 直到全部通过，或回到 planning",
    "phases.no_tests": "没有从计划生成测试",
    "phases.not_approved": "done 需要操作者批准 · 查看结果，然后运行 daedal --transition done",
    "phases.test_first": "测试在先：implement 通向 test，从那里才能到 verify 和 done · 到 {after} 之前请先到 test",
    "phases.only_planning": "{before} 只通向 planning，不通向 {after} · 请先到 planning",
    "phases.no_way": "{before} 不通向 {after} · 它通向 {onward}，或回到 planning",
}
