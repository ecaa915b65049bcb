"""What stands before and after the log of a delivery? With what it works, and what it came to."""

import msgspec

from daedal import __version__
from daedal.cli.console import Console
from daedal.cli.overviewing import board_table
from daedal.cli.streams import put_json
from daedal.delivery import DeliveryResult, Plan, Standing, ending, found, overall
from daedal.protocol.catalogue import say


def greet(console: Console, plan: Plan, thinking: int | None) -> None:
    console.log(say("cli.run.version", version=__version__))
    console.log("")
    console.log(say(f"cli.{plan.workflow.command}.startup"))
    console.log(say("cli.run.directory", project=plan.terms.project))
    if plan.max_iterations is not None:
        console.log(say("cli.run.iterations", count=plan.max_iterations))
    console.log(say("cli.run.planning_model", model=plan.plan_model or say("cli.run.configured")))
    console.log(say("cli.run.coding_model", model=plan.model or say("cli.run.configured")))
    if thinking is not None:
        console.log(say("cli.run.thinking_tokens", tokens=thinking))
    console.log("")


def close(console: Console, plan: Plan, result: DeliveryResult) -> None:
    view = Standing(plan.terms.project).look()
    if view is not None and view.deliverables:
        console.log("")
        console.show(board_table(view, colors=console.has_colors))
        console.log("")
    console.log(ending(result))
    if view is not None and (sentence := found(result, view.passed, view.blocked, view.total)):
        console.log(sentence)
    console.log(overall(result))


def close_as_json(result: DeliveryResult) -> None:
    put_json(msgspec.json.encode({"type": "result", **msgspec.to_builtins(result)}))
