"""How is one prompt run from the command line? `daedal exec`, also `daedal -p`.

The answer goes to standard output, everything else to standard error.
"""

import argparse
import asyncio

from daedal.cli.exit_codes import of_kind
from daedal.cli.headless import Run
from daedal.cli.parsing import Parser, add_approval, add_project_folder, amount, whole_number
from daedal.cli.prompting import read_prompt
from daedal.cli.rendering import Renderer, renderer_for
from daedal.cli.signals import Signals
from daedal.cli.streams import tell
from daedal.protocol.catalogue import say
from daedal.protocol.errors import UsageError


def parser() -> argparse.ArgumentParser:
    parser = Parser("exec")
    parser.add_argument("prompt", nargs="?", help=say("cli.exec.prompt"))
    parser.add_argument(
        "-p", "--print", nargs="?", const="", metavar="PROMPT", dest="printed", help=say("cli.exec.print")
    )
    parser.add_argument(
        "--output-format", choices=["text", "json", "stream-json"], default="text", help=say("cli.exec.output_format")
    )
    parser.add_argument("--model", metavar="MODEL", help=say("cli.exec.model"))
    parser.add_argument("--provider", metavar="NAME", help=say("cli.exec.provider"))
    parser.add_argument("-c", "--continue", action="store_true", dest="go_on", help=say("cli.exec.continue"))
    parser.add_argument("-r", "--resume", metavar="ID", help=say("cli.exec.resume"))
    parser.add_argument("--max-turns", type=whole_number, metavar="N", help=say("cli.exec.max_turns"))
    parser.add_argument("--max-budget-usd", type=amount, metavar="USD", help=say("cli.exec.max_budget"))
    parser.add_argument("--system-prompt-file", metavar="FILE", help=say("cli.exec.system_prompt_file"))
    parser.add_argument("--record", metavar="FILE", help=say("cli.exec.record"))
    parser.add_argument("--replay", metavar="FILE", help=say("cli.exec.replay"))
    add_approval(parser)
    add_project_folder(parser)
    return parser


def run(options: argparse.Namespace) -> int:
    renderer = renderer_for(options.output_format)
    try:
        _check(options)
        prompt = read_prompt(options.printed or options.prompt, resuming=bool(options.resume or options.go_on))
        system_prompt = _read_system_prompt(options.system_prompt_file)
    except UsageError as trouble:
        renderer.failed(str(trouble), trouble.kind)
        return of_kind(trouble.kind)
    if options.no_sandbox:
        tell(say("cli.no_sandbox_warning"))
    return asyncio.run(_drive(options, prompt, system_prompt, renderer))


async def _drive(options: argparse.Namespace, prompt: str | None, system_prompt: str | None, renderer: Renderer) -> int:
    return await Run(options, prompt, system_prompt, renderer, Signals()).drive()


def _check(options: argparse.Namespace) -> None:
    if options.resume == "":
        raise UsageError(say("cli.exec.empty_id"))
    if options.prompt is not None and options.printed:
        raise UsageError(say("cli.exec.two_prompts"))
    if options.go_on and options.resume:
        raise UsageError(say("cli.exec.continue_or_resume"))
    if options.record and options.replay:
        raise UsageError(say("cli.exec.record_or_replay"))


def _read_system_prompt(path: str | None) -> str | None:
    if path is None:
        return None
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(say("cli.exec.unreadable_file", path=path, error=error)) from error
