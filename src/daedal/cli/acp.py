"""How does an editor use Daedal? It starts `daedal acp` and speaks the Agent Client Protocol over its pipes."""

import argparse
import asyncio
import gc
import sys
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from functools import partial
from typing import Any

from daedal.app import HouseOptions, open_desk
from daedal.cli.exit_codes import ExitCode
from daedal.cli.options import ENGINE, PERMISSIONS, Option, Options, amount, permissions_of, whole_number
from daedal.cli.parsing import Parser, add_options
from daedal.cli.pipes import is_pipe, put_aside
from daedal.cli.signals import Signals
from daedal.cli.streams import tell, warn, warn_of_dangers
from daedal.client import Client
from daedal.protocol.catalogue import say
from daedal.protocol.errors import UsageError
from daedal.protocol.threads import ThreadLimits, ThreadStartParams
from daedal.protocol.wire import Notification, Request

OPTIONS = (
    ENGINE,
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
    if not (is_pipe(0) and is_pipe(1)):
        raise UsageError(say("cli.acp.no_pipe"))
    if sys.stdin.isatty():
        tell(say("cli.acp.waiting"))
    asyncio.run(_serve(options, *put_aside()))
    return ExitCode.DONE


async def _serve(options: Options, incoming: int, outgoing: int) -> None:
    from daedal.protocol.loading import models_when_used

    with models_when_used():
        from daedal.editor import Program, Service  # slow to load, and nothing that help needs
    gc.freeze()
    gc.enable()
    thread = ThreadStartParams(
        model=options.model,
        model_provider=options.provider,
        **permissions_of(options),
        limits=ThreadLimits(max_turns=options.max_turns, max_budget_usd=options.max_budget_usd),
    )
    program = Program(open=partial(_open, options.engine), has_models=options.engine == "native", thread=thread)
    service = Service(program, warn=warn)
    Signals().ask(service.stop)
    await service.run(incoming, outgoing)


def _open(
    engine: str,
    folder: str,
    *,
    servers: Sequence[dict[str, Any]] = (),
    on_event: Callable[[Notification], None],
    on_request: Callable[[Request], Awaitable[Any]],
    on_warning: Callable[[str], None],
) -> AbstractAsyncContextManager[Client]:
    def warned(sentence: str) -> None:
        warn(sentence)
        on_warning(sentence)

    house = HouseOptions(cwd=folder, engine=engine, servers=list(servers))
    return open_desk(house, name="acp", on_event=on_event, on_request=on_request, on_warning=warned)
