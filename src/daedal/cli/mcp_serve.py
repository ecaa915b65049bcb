"""How does another agent get Daedal's tools? `daedal mcp serve`: over its pipes, or over HTTP on this machine."""

import argparse
import asyncio
import gc
import ipaddress
import socket
import sys

from daedal.cli.exit_codes import ExitCode
from daedal.cli.mcp_token import token_for
from daedal.cli.options import Options
from daedal.cli.parsing import add_permissions, add_project_folder, typed
from daedal.cli.pipes import is_pipe, put_aside
from daedal.cli.signals import Signals
from daedal.cli.streams import complain, tell, warn_of_dangers
from daedal.protocol.catalogue import say
from daedal.protocol.errors import UsageError


def add_arguments(part: argparse.ArgumentParser) -> None:
    part.add_argument("--tools", type=_names, metavar="A,B", help=say("cli.mcp.serve_tools"))
    part.add_argument("--http", type=typed(address), metavar="HOST:PORT", help=say("cli.mcp.serve_http"))
    part.add_argument("--token-file", metavar="FILE", help=say("cli.mcp.serve_token_file"))
    add_permissions(part)
    add_project_folder(part)


def serve(options: Options) -> int:
    if options.token_file and not options.http:
        raise UsageError(say("cli.mcp.serve_token_alone"))
    warn_of_dangers(flag=options.no_sandbox, destructive=options.allow_destructive)
    gc.enable()
    try:
        asyncio.run(_over_http(options) if options.http else _over_pipes(options))
    except asyncio.CancelledError:
        pass  # To be told to stop is how a server ends.
    return ExitCode.DONE


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def address(text: str) -> tuple[str, int]:
    """Host and port; 0 takes any that is free. Raises ValueError with a sentence for the person."""
    host, found, port = text.rpartition(":")
    host = host.removeprefix("[").removesuffix("]") if found else ""
    if not port.isascii() or not port.isdigit() or int(port) > 65_535 or (found and not host):
        raise ValueError(say("cli.mcp.serve_no_address", text=text))
    host = "127.0.0.1" if host in ("", "localhost") else host
    try:
        is_loopback = ipaddress.ip_address(host).is_loopback
    except ValueError:
        is_loopback = False
    if not is_loopback:
        raise ValueError(say("cli.mcp.serve_not_loopback", host=host))
    return host, int(port)


async def _over_pipes(options: Options) -> None:
    if not (is_pipe(0) and is_pipe(1)):
        raise UsageError(say("cli.mcp.serve_no_pipe"))
    # What follows loads the SDK, which takes a second: nobody waits that long to hear of a mistake.
    from daedal.cli.mcp_lender import lent
    from daedal.mcp import pipe_streams

    if sys.stdin.isatty():
        tell(say("cli.mcp.serve_waiting"))
    incoming, outgoing = put_aside()
    _stop_on_signal()
    async with lent(options) as loan, pipe_streams(incoming, outgoing) as streams:
        await loan.serve(*streams)


async def _over_http(options: Options) -> None:
    token, is_new = token_for(options.token_file)
    from daedal.cli.mcp_lender import lent
    from daedal.mcp import Door, serve_http

    with _listener(*options.http) as listener:
        port = listener.getsockname()[1]
        host = f"[{options.http[0]}]" if ":" in options.http[0] else options.http[0]
        hosts = [f"{name}:{port}" for name in dict.fromkeys([host, "localhost", "127.0.0.1", "[::1]"])]
        door = Door(lambda: lent(options), token=token, hosts=hosts, say_trouble=complain)
        _stop_on_signal()
        tell(say("cli.mcp.serve_at", address=f"http://{host}:{port}/mcp"))
        if is_new and not options.token_file:
            tell(say("cli.mcp.serve_token", token=token))
        await serve_http(door, listener)


def _listener(host: str, port: int) -> socket.socket:
    listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen()  # before anybody knows the port, so that nobody comes too early
    except OSError as error:
        listener.close()
        raise UsageError(say("cli.mcp.serve_cannot_listen", host=host, port=port, error=error.strerror)) from error
    return listener


def _stop_on_signal() -> None:
    task = asyncio.current_task()
    assert task is not None
    Signals().ask(task.cancel)
