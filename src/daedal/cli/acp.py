"""How does an editor use Daedal? It starts `daedal acp` and speaks the Agent Client Protocol over its pipes."""

import argparse
import asyncio
import gc
import sys
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

from daedal.app import HouseOptions, open_house
from daedal.cli.exit_codes import ExitCode
from daedal.cli.in_force import settings_in_force
from daedal.cli.options import PERMISSIONS, Option, Options, amount, permissions_of, whole_number
from daedal.cli.parsing import Parser, add_options
from daedal.cli.pipes import put_aside
from daedal.cli.signals import Signals
from daedal.cli.streams import tell, warn, warn_of_dangers
from daedal.client import Client
from daedal.protocol.catalogue import say
from daedal.protocol.threads import ThreadLimits, ThreadStartParams
from daedal.protocol.wire import Notification, Request

OPTIONS = (
    Option(name="model", flags=("--model",), metavar="MODEL", help="cli.exec.model"),
    Option(name="provider", flags=("--provider",), metavar="NAME", help="cli.exec.provider"),
    Option(name="max_turns", flags=("--max-turns",), convert=whole_number, metavar="N", help="cli.acp.max_turns"),
    Option(
        name="max_budget_usd", flags=("--max-budget-usd",), convert=amount, metavar="USD", help="cli.acp.max_budget"
    ),
    *PERMISSIONS,
)


def parser() -> argparse.ArgumentParser:
    parser = Parser("acp")
    add_options(parser, OPTIONS)
    return parser


def run(options: Options) -> int:
    warn_of_dangers(flag=options.no_sandbox, destructive=options.allow_destructive)
    if sys.stdin.isatty():
        tell(say("cli.acp.waiting"))
    pipes = put_aside()
    gc.enable()
    asyncio.run(_serve(options, *pipes))
    return ExitCode.DONE


async def _serve(options: Options, incoming: int, outgoing: int) -> None:
    from daedal.editor import Program, Service  # slow to load, and nothing that help needs

    thread = ThreadStartParams(
        model=options.model,
        model_provider=options.provider,
        **permissions_of(options),
        limits=ThreadLimits(max_turns=options.max_turns, max_budget_usd=options.max_budget_usd),
    )
    service = Service(Program(open=_open, mode_of=_mode_of, thread=thread), warn=warn)
    Signals().ask(service.stop)
    await service.run(incoming, outgoing)


def _open(
    folder: str,
    *,
    on_event: Callable[[Notification], None],
    on_request: Callable[[Request], Awaitable[Any]],
    on_warning: Callable[[str], None],
) -> AbstractAsyncContextManager[Client]:
    def warned(sentence: str) -> None:
        warn(sentence)
        on_warning(sentence)

    return open_house(HouseOptions(cwd=folder), on_event=on_event, on_request=on_request, on_warning=warned)


def _mode_of(folder: str) -> str:
    return settings_in_force(folder, lambda trouble: warn(str(trouble))).value.permissions.default_mode
