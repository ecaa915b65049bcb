"""How is one prompt run from the command line? `daedal exec`, also `daedal -p`.

The answer goes to standard output, everything else to standard error.
"""

import asyncio
from typing import TYPE_CHECKING

from daedal.cli.exit_codes import of_kind
from daedal.cli.headless import Run
from daedal.cli.options import ENGINE, PERMISSIONS, PROJECT_FOLDER, Option, Options, amount, whole_number
from daedal.cli.prompting import read_prompt
from daedal.cli.pursuing import check_goal
from daedal.cli.rendering import Renderer, renderer_for
from daedal.cli.signals import Signals
from daedal.cli.streams import warn_of_dangers
from daedal.protocol.catalogue import say
from daedal.protocol.errors import UsageError
from daedal.protocol.model import EFFORTS

if TYPE_CHECKING:
    import argparse

    from daedal.protocol.items import UserInput


OPTIONS = (
    Option(name="prompt", help="cli.exec.prompt"),
    Option(name="printed", flags=("-p", "--print"), takes="maybe", metavar="PROMPT", help="cli.exec.print"),
    Option(
        name="output_format",
        flags=("--output-format",),
        choices=("text", "json", "stream-json"),
        default="text",
        help="cli.exec.output_format",
    ),
    ENGINE,
    Option(name="model", flags=("--model",), metavar="MODEL", help="cli.exec.model"),
    Option(name="effort", flags=("--effort",), choices=EFFORTS, help="cli.exec.effort"),
    Option(name="provider", flags=("--provider",), metavar="NAME", help="cli.exec.provider"),
    Option(name="go_on", flags=("-c", "--continue"), takes="nothing", help="cli.exec.continue"),
    Option(name="resume", flags=("-r", "--resume"), metavar="ID", help="cli.exec.resume"),
    Option(name="max_turns", flags=("--max-turns",), convert=whole_number, metavar="N", help="cli.exec.max_turns"),
    Option(
        name="max_budget_usd", flags=("--max-budget-usd",), convert=amount, metavar="USD", help="cli.exec.max_budget"
    ),
    Option(name="planner_model", flags=("--planner-model",), metavar="MODEL", help="cli.exec.planner_model"),
    Option(name="goal", flags=("--goal",), metavar="TEXT", help="cli.exec.goal"),
    Option(name="until", flags=("--until",), metavar="COMMAND", help="cli.exec.until"),
    Option(name="goal_limit", flags=("--goal-limit",), convert=whole_number, metavar="N", help="cli.exec.goal_limit"),
    Option(name="research", flags=("--research",), takes="nothing", help="cli.exec.research"),
    Option(name="simple", flags=("--simple",), takes="nothing", help="cli.exec.simple"),
    Option(
        name="system_prompt_file", flags=("--system-prompt-file",), metavar="FILE", help="cli.exec.system_prompt_file"
    ),
    Option(name="keep_tasks", flags=("--keep-tasks",), takes="nothing", help="cli.exec.keep_tasks"),
    Option(name="bare", flags=("--bare",), takes="nothing", help="cli.exec.bare"),
    Option(name="record", flags=("--record",), metavar="FILE", help="cli.exec.record"),
    Option(name="replay", flags=("--replay",), metavar="FILE", help="cli.exec.replay"),
    Option(name="init", flags=("--init",), takes="nothing", help="cli.exec.init"),
    Option(name="maintenance", flags=("--maintenance",), takes="nothing", help="cli.exec.maintenance"),
    *PERMISSIONS,
    PROJECT_FOLDER,
)


def parser() -> "argparse.ArgumentParser":
    from daedal.cli.parsing import Parser, add_options

    parser = Parser("exec")
    add_options(parser, OPTIONS)
    return parser


def run(options: Options) -> int:
    renderer = renderer_for(options.output_format)
    try:
        _check(options)
        asked = options.goal if options.goal is not None else options.printed or options.prompt
        prompt = read_prompt(asked, resuming=bool(options.resume or options.go_on))
        system_prompt = _read_system_prompt(options.system_prompt_file)
    except UsageError as trouble:
        renderer.failed(str(trouble), trouble.kind)
        return of_kind(trouble.kind)
    warn_of_dangers(flag=options.no_sandbox, destructive=options.allow_destructive)
    # Before the loop, or else Python describes the loop's own handler at length, only to throw that away.
    signals = Signals()
    return asyncio.run(_drive(options, prompt, system_prompt, renderer, signals))


async def _drive(
    options: Options, prompt: "list[UserInput]", system_prompt: str | None, renderer: Renderer, signals: Signals
) -> int:
    return await Run(options, prompt, system_prompt, renderer, signals).drive()


def _check(options: Options) -> None:
    if options.resume == "":
        raise UsageError(say("cli.exec.empty_id"))
    if options.prompt is not None and options.printed:
        raise UsageError(say("cli.exec.two_prompts"))
    if options.go_on and options.resume:
        raise UsageError(say("cli.exec.continue_or_resume"))
    if options.record and options.replay:
        raise UsageError(say("cli.exec.record_or_replay"))
    if options.engine != "native" and (options.record or options.replay):
        raise UsageError(say("cli.exec.cassette_of_guest"))
    if options.engine != "native" and options.planner_model:
        raise UsageError(say("cli.exec.planner_of_guest"))
    check_goal(options)


def _read_system_prompt(path: str | None) -> str | None:
    if path is None:
        return None
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(say("cli.exec.unreadable_file", path=path, error=error)) from error
