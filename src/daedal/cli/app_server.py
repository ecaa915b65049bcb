"""How do other programs drive the engine? `daedal app-server`, over standard input and output or a socket."""

import argparse
import asyncio
import gc
import os
from collections.abc import Awaitable, Callable

import msgspec

from daedal.app import HouseLookups, HouseOptions, open_engine
from daedal.cli.exit_codes import ExitCode
from daedal.cli.options import ENGINES, Options
from daedal.cli.parsing import Parser, add_project_folder
from daedal.cli.signals import Signals
from daedal.cli.streams import tell, warn
from daedal.config import home
from daedal.protocol.abilities import Wire
from daedal.protocol.catalogue import say
from daedal.protocol.errors import ConfigurationError, UsageError
from daedal.server import Address, Switchboard, address_of, listen, schemas, stdio_wire, token_in

SCHEMA = "generate-json-schema"


def parser() -> argparse.ArgumentParser:
    parser = Parser("app_server", flag="app-server")
    parser.add_argument("action", nargs="?", choices=[SCHEMA], help=say("cli.app_server.action"))
    parser.add_argument("--listen", default="stdio://", metavar="ADDRESS", help=say("cli.app_server.listen"))
    parser.add_argument("--token-file", metavar="FILE", help=say("cli.app_server.token_file"))
    parser.add_argument(
        "--allow-origin", action="append", default=[], metavar="ORIGIN", help=say("cli.app_server.allow_origin")
    )
    parser.add_argument("--engine", choices=ENGINES, default="native", help=say("cli.exec.engine"))
    parser.add_argument("--out", metavar="DIR", help=say("cli.app_server.out"))
    add_project_folder(parser)
    return parser


def run(options: Options) -> int:
    if options.action == SCHEMA:
        return _write_schema(options.out)
    if options.out is not None:
        raise UsageError(say("cli.app_server.out_alone"))
    address = address_of(options.listen)
    signals = Signals()
    return asyncio.run(_serve(options, address, signals))


async def _serve(options: Options, address: Address, signals: Signals) -> int:
    board = Switchboard()
    stopped = asyncio.Event()
    signals.ask(stopped.set)
    house_options = HouseOptions(cwd=options.cd, engine=options.engine)
    async with open_engine(house_options, board, on_warning=warn) as house:
        gc.freeze()
        gc.enable()
        lookups = HouseLookups(house.startup, house.servers, house.rules)

        async def serve(wire: Wire) -> None:
            wire.on_slow = lambda: warn(say("cli.app_server.client_too_slow"))
            await board.serve(house.engine, lookups, wire)

        if address.scheme == "stdio":
            return await _serve_parent(serve, stopped)
        token_file = options.token_file or os.path.join(home(), "app-server.token")
        token = token_in(token_file) if address.scheme == "ws" else ""
        if token:
            house.startup.credentials.learn("app-server token", token)
        async with listen(address, serve, token=token, origins=options.allow_origin) as reached:
            tell(say("cli.app_server.listening", address=reached))
            if token:
                tell(say("cli.app_server.token_is_in", path=token_file))
            await stopped.wait()
            # Turns end first, while there is still somebody to tell.
            await house.engine.close()
        return ExitCode.DONE


async def _serve_parent(serve: Callable[[Wire], Awaitable[None]], stopped: asyncio.Event) -> int:
    wire = await stdio_wire()
    serving = asyncio.ensure_future(serve(wire))
    stopping = asyncio.ensure_future(stopped.wait())
    await asyncio.wait([serving, stopping], return_when=asyncio.FIRST_COMPLETED)
    for task in (serving, stopping):
        task.cancel()
    await asyncio.wait([serving, stopping])
    wire.close()
    await wire.finished()
    return ExitCode.FAILED if wire.is_slow else ExitCode.DONE


def _write_schema(folder: str | None) -> int:
    files = {name: msgspec.json.format(msgspec.json.encode(schema), indent=2) for name, schema in schemas().items()}
    if folder is None:
        print("\n".join(text.decode() for text in files.values()))
        return ExitCode.DONE
    try:
        os.makedirs(folder, exist_ok=True)
        for name, text in files.items():
            with open(os.path.join(folder, name), "wb") as file:
                file.write(text + b"\n")
    except OSError as error:
        raise ConfigurationError(say("cli.app_server.cannot_write", path=folder, error=error)) from error
    return ExitCode.DONE
