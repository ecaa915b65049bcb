"""How does one prompt run without a chat? `daedal exec`, also `daedal -p`: a client of the protocol that asks nobody.

The answer goes to standard output, everything else to standard error.
"""

import argparse
import asyncio
import gc
import signal
import sys

from msgspec.structs import asdict

from daedal.app import HouseOptions, open_house
from daedal.cli.exit_codes import ExitCode, of_kind, of_turn
from daedal.cli.parsing import Parser, add_approval, add_project_folder
from daedal.cli.printing import warn
from daedal.cli.prompting import read_prompt
from daedal.cli.rendering import Renderer, renderer_for
from daedal.client import CallFailed, Client
from daedal.protocol.approvals import ApprovalAnswer, ApprovalDecision
from daedal.protocol.catalogue import say
from daedal.protocol.errors import UsageError
from daedal.protocol.events import TurnCompleted
from daedal.protocol.items import UserInput
from daedal.protocol.threads import (
    ThreadLimits,
    ThreadListParams,
    ThreadResumeParams,
    ThreadStartParams,
    ThreadStartResponse,
)
from daedal.protocol.turns import (
    Turn,
    TurnContinueParams,
    TurnInterruptParams,
    TurnStartParams,
    TurnStartResponse,
)
from daedal.protocol.verdict import Posture
from daedal.protocol.wire import Notification, Request


def parser() -> argparse.ArgumentParser:
    parser = Parser("exec")
    parser.add_argument("prompt", nargs="?", help=say("cli.exec.prompt"))
    parser.add_argument("-p", "--print", metavar="PROMPT", dest="printed", help=say("cli.exec.print"))
    parser.add_argument(
        "--output-format", choices=["text", "json", "stream-json"], default="text", help=say("cli.exec.output_format")
    )
    parser.add_argument("--model", metavar="MODEL", help=say("cli.exec.model"))
    parser.add_argument("--provider", metavar="NAME", help=say("cli.exec.provider"))
    parser.add_argument("-c", "--continue", action="store_true", dest="go_on", help=say("cli.exec.continue"))
    parser.add_argument("-r", "--resume", metavar="ID", help=say("cli.exec.resume"))
    parser.add_argument("--max-turns", type=_positive, metavar="N", help=say("cli.exec.max_turns"))
    parser.add_argument("--max-budget-usd", type=_amount, metavar="USD", help=say("cli.exec.max_budget"))
    parser.add_argument("--system-prompt-file", metavar="FILE", help=say("cli.exec.system_prompt_file"))
    parser.add_argument("--record", metavar="FILE", help=say("cli.exec.record"))
    parser.add_argument("--replay", metavar="FILE", help=say("cli.exec.replay"))
    add_approval(parser)
    add_project_folder(parser)
    return parser


def run(options: argparse.Namespace) -> int:
    prompt = read_prompt(options.printed if options.printed is not None else options.prompt, resuming=options.resume)
    if options.go_on and options.resume:
        raise UsageError(say("cli.exec.continue_or_resume"))
    system_prompt = _read_system_prompt(options.system_prompt_file)
    if options.no_sandbox:
        sys.stderr.write(say("cli.no_sandbox_warning") + "\n")
    return asyncio.run(_drive(options, prompt, system_prompt))


async def _drive(options: argparse.Namespace, prompt: str | None, system_prompt: str | None) -> int:
    return await Run(options, prompt, system_prompt, renderer_for(options.output_format)).drive()


class Run:
    """One headless run: its thread, its turn, and what the person sees of it. Made inside the event loop."""

    def __init__(
        self, options: argparse.Namespace, prompt: str | None, system_prompt: str | None, renderer: Renderer
    ) -> None:
        self._options = options
        self._prompt = prompt
        self._system_prompt = system_prompt
        self._renderer = renderer
        self._over: asyncio.Future[Turn] = asyncio.get_running_loop().create_future()
        self._interrupted = asyncio.Event()

    async def drive(self) -> int:
        house = HouseOptions(cwd=self._options.cd, record=self._options.record, replay=self._options.replay)
        work = asyncio.ensure_future(self._work(house))
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            asyncio.get_running_loop().add_signal_handler(number, self._stop, work)
        try:
            return await work
        except asyncio.CancelledError:
            return ExitCode.INTERRUPTED
        except CallFailed as failure:
            self._renderer.failed(str(failure), failure.kind)
            return of_kind(failure.kind)

    async def _work(self, house: HouseOptions) -> int:
        async with open_house(house, on_event=self._see, on_request=_decline, on_warning=warn) as client:
            gc.freeze()
            gc.enable()
            thread = await self._open_thread(client)
            self._renderer.opened(thread)
            turn = await self._open_turn(client, thread.thread.id)
            interruption = asyncio.create_task(self._interrupt_when_told(client, thread.thread.id, turn.turn.id))
            try:
                ended = await self._over
            finally:
                interruption.cancel()
            code = of_turn(ended)
            self._renderer.ended(ended, code)
            return code

    async def _open_thread(self, client: Client) -> ThreadStartResponse:
        options = self._options
        start = ThreadStartParams(
            cwd=options.cd,
            model=options.model,
            model_provider=options.provider,
            base_instructions=self._system_prompt,
            approval_policy=Posture(options.approval) if options.approval else None,
            sandbox="danger-full-access" if options.no_sandbox else None,
            limits=ThreadLimits(max_turns=options.max_turns, max_budget_usd=options.max_budget_usd),
        )
        wanted = options.resume or (await self._latest(client) if options.go_on else None)
        if wanted is None:
            return await client.call("thread/start", start)
        return await client.call("thread/resume", ThreadResumeParams(thread_id=wanted, **asdict(start)))

    async def _latest(self, client: Client) -> str:
        import os

        folder = os.path.realpath(self._options.cd or os.getcwd())
        threads = (await client.call("thread/list", ThreadListParams(limit=1, cwd=folder))).data
        if not threads:
            raise UsageError(say("cli.exec.nothing_to_continue", folder=folder))
        return threads[0].id

    async def _open_turn(self, client: Client, thread_id: str) -> TurnStartResponse:
        if self._prompt is None:
            return await client.call("turn/continue", TurnContinueParams(thread_id=thread_id))
        return await client.call("turn/start", TurnStartParams(thread_id=thread_id, input=[UserInput(self._prompt)]))

    async def _interrupt_when_told(self, client: Client, thread_id: str, turn_id: str) -> None:
        await self._interrupted.wait()
        try:
            await client.call("turn/interrupt", TurnInterruptParams(thread_id=thread_id, turn_id=turn_id))
        except CallFailed:
            return  # It ended by itself in the same moment.

    def _see(self, notification: Notification) -> None:
        try:
            self._renderer.event(notification)
        except BrokenPipeError:
            self._interrupted.set()  # Nobody reads the answer any more.
        if isinstance(notification.params, TurnCompleted):
            self._over.set_result(notification.params.turn)

    def _stop(self, work: "asyncio.Future[int]") -> None:
        """Ctrl-C: the first stops the turn and keeps the record; a second leaves at once, as a crash would."""
        import os

        if self._interrupted.is_set():
            os._exit(ExitCode.INTERRUPTED)
        self._interrupted.set()
        if not self._renderer.is_open:
            work.cancel()


async def _decline(request: Request) -> ApprovalAnswer:
    """Nobody can be asked in a headless run, so what needs a person is declined, and labelled so."""
    del request
    return ApprovalAnswer(decision=ApprovalDecision.DECLINE, by_default=True)


def _read_system_prompt(path: str | None) -> str | None:
    if path is None:
        return None
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(say("cli.exec.unreadable_file", path=path, error=error)) from error


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(say("cli.not_positive", text=text))
    return number


def _amount(text: str) -> float:
    number = float(text)
    if not 0 < number < float("inf"):
        raise argparse.ArgumentTypeError(say("cli.not_positive", text=text))
    return number
