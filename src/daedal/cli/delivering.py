"""How does a delivery run from a command line? Checked, held, driven until it ends, and told by an exit code."""

import asyncio
import os
from collections.abc import Callable
from typing import TYPE_CHECKING

from daedal.cli.bookends import close, close_as_json, greet
from daedal.cli.console import Console, JsonConsole
from daedal.cli.delivery_engine import opener
from daedal.cli.delivery_terms import plan_of, thinking_of
from daedal.cli.exit_codes import ExitCode, of_kind
from daedal.cli.options import Options
from daedal.cli.signals import Signals
from daedal.cli.streams import complain, warn_of_dangers
from daedal.client import CallFailed
from daedal.delivery import (
    DeliveryResult,
    Loop,
    Open,
    Plan,
    Reason,
    Workflow,
    check_specification,
    check_state_folder,
    held,
)

if TYPE_CHECKING:
    from daedal.app import HouseOptions

TICK_S = 1.0
CODES = {
    Reason.ALL_PASSED: ExitCode.DONE,
    Reason.ALL_VERIFIED: ExitCode.DONE,
    Reason.ALL_BLOCKED: ExitCode.FAILED,
    Reason.MAX_RETRIES: ExitCode.FAILED,
    Reason.MAX_ITERATIONS: ExitCode.LIMIT,
    Reason.BUDGET: ExitCode.LIMIT,
    Reason.DURATION: ExitCode.LIMIT,
    Reason.QUOTA_EXCEEDED: ExitCode.LATER,
    Reason.INTERRUPTED: ExitCode.INTERRUPTED,
}


def deliver(workflow: Workflow, options: Options) -> int:
    """Raises DaedalError."""
    thinking = thinking_of(options)
    plan = plan_of(workflow, options)
    check_specification(plan.terms.project)
    check_state_folder(plan.terms.project)
    warn_of_dangers(flag=getattr(options, "no_sandbox", False), destructive=plan.terms.allow_destructive)
    console = JsonConsole() if options.json else Console(debug=options.debug)
    with held(os.path.join(plan.terms.project, ".daedal", "run"), workflow.command):
        if not options.json:
            greet(console, plan, thinking)
        try:
            result = asyncio.run(_deliver(plan, options.engine, thinking, console))
        except CallFailed as failure:
            complain(failure)
            return of_kind(failure.kind)
    if options.json:
        close_as_json(result)
    else:
        close(console, plan, result)
    return CODES[result.reason]


async def _deliver(plan: Plan, engine: str, thinking: int | None, console: Console) -> DeliveryResult:
    def house(engine: str) -> "Callable[[], HouseOptions]":
        from daedal.app import HouseOptions

        return lambda: HouseOptions(cwd=plan.terms.project, engine=engine, thinking_tokens=thinking)

    return await drive(plan, opener(house(engine), console), opener(house("native"), console), console, Signals())


async def drive(plan: Plan, open_engine: Open, open_hands: Open, console: Console, signals: Signals) -> DeliveryResult:
    """To its end; the first signal asks it to end in order."""
    loop = Loop(plan, open_engine, open_hands, console.tell)
    signals.ask(loop.stop.set)
    ticking = asyncio.create_task(_tick(console))
    try:
        return await loop.run()
    finally:
        ticking.cancel()
        console.clear()


async def _tick(console: Console) -> None:
    while True:
        await asyncio.sleep(TICK_S)
        console.tick()
