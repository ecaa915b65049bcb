"""What do `daedal run` and `daedal sync` have in common? Options, checks, the start-up lines, and the way to an end."""

import asyncio
import os
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import msgspec

from daedal import __version__
from daedal.cli.absence import decline
from daedal.cli.console import Console, JsonConsole
from daedal.cli.exit_codes import ExitCode, of_kind
from daedal.cli.options import Option, Options, amount
from daedal.cli.overviewing import board_table
from daedal.cli.signals import Signals
from daedal.cli.streams import complain, put_json, warn, warn_of_dangers
from daedal.client import CallFailed
from daedal.delivery import (
    DeliveryResult,
    Loop,
    Open,
    Plan,
    Reason,
    Terms,
    Workflow,
    check_specification,
    check_state_folder,
    ending,
    found,
    held,
    overall,
    overview,
    seconds_of,
)
from daedal.protocol.catalogue import say
from daedal.protocol.errors import UsageError

if TYPE_CHECKING:
    from daedal.client import Client
    from daedal.protocol.wire import Notification

CLAUDE = "claude_code_subscription"
THINKING_TOKENS = 8192
THINKING_TOKENS_MIN = 1024
ITERATIONS_MAX = 1_000_000
COMMON = (
    Option(name="project_dir", flags=("-p", "--project-dir"), metavar="DIR", help="cli.run.project_dir"),
    Option(name="max_iterations", flags=("-n", "--max-iterations"), metavar="N", help="cli.run.max_iterations"),
    Option(name="max_retries", flags=("--max-retries",), metavar="N", default="3", help="cli.run.max_retries"),
    Option(name="model", flags=("-m", "--model"), metavar="MODEL", help="cli.run.model"),
    Option(name="plan_model", flags=("-pm", "--plan-model"), metavar="MODEL", help="cli.run.plan_model"),
    Option(name="provider", flags=("--provider",), metavar="NAME", help="cli.run.provider"),
    Option(
        name="engine",
        flags=("--engine",),
        choices=("native", "codex", "claude"),
        default="native",
        help="cli.run.engine",
    ),
    Option(name="debug", flags=("-d", "--debug"), takes="nothing", help="cli.run.debug"),
    Option(name="wait_for_quota", flags=("--wait-for-quota",), takes="nothing", help="cli.run.wait_for_quota"),
    Option(name="thinking", flags=("--thinking",), takes="maybe", metavar="N", help="cli.run.thinking"),
    Option(name="no_receipts", flags=("--no-receipts",), takes="nothing", help="cli.run.no_receipts"),
    Option(
        name="max_budget_usd", flags=("--max-budget-usd",), convert=amount, metavar="USD", help="cli.run.max_budget"
    ),
    Option(name="max_duration", flags=("--max-duration",), metavar="TIME", help="cli.run.max_duration"),
    Option(
        name="session_delay", flags=("--session-delay",), metavar="SECONDS", default="3", help="cli.run.session_delay"
    ),
    Option(name="json", flags=("--json",), takes="nothing", help="cli.run.json"),
)
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
    thinking = _thinking(options.thinking)
    plan = _plan(workflow, options)
    check_specification(plan.terms.project)
    check_state_folder(plan.terms.project)
    warn_of_dangers(flag=plan.terms.no_sandbox, destructive=plan.terms.allow_destructive)
    console = JsonConsole() if options.json else Console(debug=options.debug)
    with held(os.path.join(plan.terms.project, ".daedal", "run"), workflow.command):
        if not options.json:
            _greet(console, plan, thinking)
        try:
            result = asyncio.run(_drive(plan, options, thinking, console))
        except CallFailed as failure:
            complain(failure)
            return of_kind(failure.kind)
    _close(console, plan, result, as_json=options.json)
    return CODES[result.reason]


def _plan(workflow: Workflow, options: Options) -> Plan:
    project = _project(options.project_dir)
    iterations = options.max_iterations
    model, plan_model = _models(options, project)
    return Plan(
        workflow=workflow,
        terms=Terms(
            project=project,
            command=workflow.command,
            provider=options.provider,
            allow_destructive=getattr(options, "allow_destructive", False),
            no_sandbox=getattr(options, "no_sandbox", False),
        ),
        model=model,
        plan_model=plan_model,
        max_iterations=None if iterations is None else _number(iterations, 1, "cli.run.bad_iterations"),
        max_retries=_number(options.max_retries, 0, "cli.run.bad_retries"),
        wait_for_quota=options.wait_for_quota,
        needs_receipts=not options.no_receipts,
        max_budget_usd=options.max_budget_usd,
        max_duration_s=_duration(options.max_duration),
        pause_s=_delay(options.session_delay),
    )


def _project(given: str | None) -> str:
    path = os.path.abspath(given or os.getcwd())
    if not os.path.isdir(path):
        raise UsageError(say("cli.run.no_project", path=path))
    return os.path.realpath(path)


def _number(text: str, least: int, complaint: str) -> int:
    try:
        number = int(text)
    except ValueError:
        number = least - 1
    if not least <= number <= ITERATIONS_MAX:
        raise UsageError(say(complaint, value=text))
    return number


def _thinking(text: str | None) -> int | None:
    if text is None:
        return None
    return THINKING_TOKENS if text == "" else _number(text, THINKING_TOKENS_MIN, "cli.run.bad_thinking")


def _duration(text: str | None) -> float | None:
    try:
        return None if text is None else seconds_of(text)
    except ValueError as error:
        raise UsageError(say("cli.run.bad_duration", value=text)) from error


def _delay(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds < 1e6:
        raise UsageError(say("cli.run.bad_delay", value=text))
    return seconds


def _models(options: Options, project: str) -> tuple[str | None, str | None]:
    """For implementing and for planning. Claude has one for each; elsewhere the configured one does both."""
    has_both = options.engine == "claude" or (options.engine == "native" and _has_both(options.provider, project))
    return (
        options.model or ("sonnet" if has_both else None),
        options.plan_model or ("opus" if has_both else options.model or None),
    )


def _has_both(provider: str | None, project: str) -> bool:
    if provider is not None:
        return provider == CLAUDE
    from daedal.app import start_up

    startup = start_up(project)
    try:
        return startup.model is None or startup.model.provider == CLAUDE
    finally:
        startup.ledger.close()


async def _drive(plan: Plan, options: Options, thinking: int | None, console: Console) -> DeliveryResult:
    said: set[str] = set()

    def on_warning(message: str) -> None:
        # Each session starts anew and would say it again.
        if message not in said:
            said.add(message)
            console.clear()
            warn(message)

    def opener(engine: str) -> Open:
        @asynccontextmanager
        async def open_engine(on_event: "Callable[[Notification], None]") -> "AsyncGenerator[Client]":
            from daedal.app import HouseOptions, open_house

            house = HouseOptions(cwd=plan.terms.project, engine=engine, thinking_tokens=thinking)
            async with open_house(house, on_event=on_event, on_request=decline, on_warning=on_warning) as client:
                yield client

        return open_engine

    loop = Loop(plan, opener(options.engine), opener("native"), console.tell)
    Signals().ask(loop.stop.set)
    ticking = asyncio.create_task(_tick(console))
    try:
        return await loop.run()
    finally:
        ticking.cancel()
        console.clear()


async def _tick(console: Console) -> None:
    while True:
        await asyncio.sleep(1)
        console.tick()


def _greet(console: Console, plan: Plan, thinking: int | None) -> None:
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


def _close(console: Console, plan: Plan, result: DeliveryResult, *, as_json: bool) -> None:
    if as_json:
        put_json(msgspec.json.encode({"type": "result", **msgspec.to_builtins(result)}))
        return
    view = overview(plan.terms.project)
    if view is not None and view.deliverables:
        console.log("")
        console.log(board_table(view))
        console.log("")
    console.log(ending(result))
    if view is not None and (sentence := found(result, view.passed, view.blocked, view.total)):
        console.log(sentence)
    console.log(overall(result))
