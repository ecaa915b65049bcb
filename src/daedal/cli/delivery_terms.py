"""What does a command line ask of a delivery? The options that `run` and `sync` share, checked one by one."""

import os

from daedal.cli.options import ENGINES, Option, Options, amount
from daedal.delivery import UNCONFINED_ALLOW, Plan, Terms, Workflow, seconds_of
from daedal.protocol.catalogue import say
from daedal.protocol.errors import UsageError

CLAUDE = "claude_code_subscription"
THINKING_TOKENS = 8192
THINKING_TOKENS_MIN = 1024
NUMBER_MAX = 1_000_000_000
OPTIONS = (
    Option(name="project_dir", flags=("-p", "--project-dir"), metavar="DIR", help="cli.run.project_dir"),
    Option(name="max_iterations", flags=("-n", "--max-iterations"), metavar="N", help="cli.run.max_iterations"),
    Option(name="max_retries", flags=("--max-retries",), metavar="N", default="3", help="cli.run.max_retries"),
    Option(name="model", flags=("-m", "--model"), metavar="MODEL", help="cli.run.model"),
    Option(name="plan_model", flags=("-pm", "--plan-model"), metavar="MODEL", help="cli.run.plan_model"),
    Option(name="provider", flags=("--provider",), metavar="NAME", help="cli.run.provider"),
    Option(name="engine", flags=("--engine",), choices=ENGINES, default="native", help="cli.run.engine"),
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


def thinking_of(options: Options) -> int | None:
    """Tokens to think with; None where nobody wants that. Raises UsageError."""
    text = options.thinking
    if text is None:
        return None
    return THINKING_TOKENS if text == "" else _number(text, THINKING_TOKENS_MIN, "cli.run.bad_thinking")


def plan_of(workflow: Workflow, options: Options) -> Plan:
    """Raises UsageError."""
    iterations = options.max_iterations
    max_iterations = None if iterations is None else _number(iterations, 1, "cli.run.bad_iterations")
    max_retries = _number(options.max_retries, 0, "cli.run.bad_retries")
    max_duration_s = _duration(options.max_duration)
    pause_s = _delay(options.session_delay)
    project = project_of(options)
    model, plan_model = _models(options, project)
    no_sandbox = getattr(options, "no_sandbox", False) or os.environ.get("DAEDAL_NO_SANDBOX") == "1"
    return Plan(
        workflow=workflow,
        terms=Terms(
            project=project,
            command=workflow.command,
            provider=options.provider,
            allow_destructive=getattr(options, "allow_destructive", False),
            no_sandbox=no_sandbox,
            allow=UNCONFINED_ALLOW if no_sandbox else [],
        ),
        model=model,
        plan_model=plan_model,
        wait_for_quota=options.wait_for_quota,
        needs_receipts=not options.no_receipts,
        max_iterations=max_iterations,
        max_retries=max_retries,
        max_budget_usd=options.max_budget_usd,
        max_duration_s=max_duration_s,
        pause_s=pause_s,
    )


def project_of(options: Options) -> str:
    """Raises UsageError."""
    path = os.path.abspath(options.project_dir or os.getcwd())
    if not os.path.isdir(path):
        raise UsageError(say("cli.run.no_project", path=path))
    return os.path.realpath(path)


def _number(text: str, least: int, complaint: str) -> int:
    try:
        number = int(text)
    except ValueError:
        number = least - 1
    if not least <= number <= NUMBER_MAX:
        raise UsageError(say(complaint, value=text))
    return number


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
    if not 0 <= seconds < NUMBER_MAX:
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
