"""What does a server say when it is tried? `daedal mcp test`, `trust` and `login` connect to one for real."""

import argparse
import os
import sys

import msgspec

from daedal.cli.exit_codes import ExitCode
from daedal.cli.printing import one_line, visible
from daedal.cli.streams import complain
from daedal.config import home
from daedal.mcp import (
    Difference,
    McpServers,
    ServerConfig,
    ServerState,
    ServerStatus,
    Tokens,
    Trouble,
    log_in,
    tool_name,
)
from daedal.protocol.catalogue import say
from daedal.sandbox import ProcessSpawner

WAIT_S = 90.0
DIFF_LINES_MAX = 60


async def try_server(
    options: argparse.Namespace, config: ServerConfig, spawner: ProcessSpawner, folder: str
) -> ExitCode:
    try:
        if options.action == "login":
            return await _log_in(config, spawner, folder)
        servers = McpServers([config], spawner=spawner, workspace=folder, home=home())
        servers.start()
        try:
            await servers.settled(WAIT_S)
            status = servers.status()[0]
            if status.state is not ServerState.READY:
                return _failed(options, status)
            if options.action == "test":
                return _tested(options, servers, status)
            return _trusted(options, servers, status)
        finally:
            await servers.close()
    finally:
        await spawner.close()


def _failed(options: argparse.Namespace, status: ServerStatus) -> ExitCode:
    if getattr(options, "json", False):
        print(msgspec.json.encode(status).decode())
    complain(say("cli.mcp.failed", name=status.name, trouble=status.trouble or status.state))
    return ExitCode.FAILED


def _tested(options: argparse.Namespace, servers: McpServers, status: ServerStatus) -> ExitCode:
    if options.json:
        print(msgspec.json.encode(status).decode())
        return ExitCode.DONE
    counts = {"tools": len(status.tools), "prompts": status.prompts, "resources": status.resources}
    print(visible(say("cli.mcp.works", name=status.name, version=one_line(status.version, 80) or "?", **counts)))
    for tool in servers.tools():
        print(visible(f"  {tool.spec.name}  {one_line(tool.spec.description, 80)}"))
    for prompt in servers.prompts():
        print(visible(f"  /{prompt.command} {prompt.argument_hint}".rstrip()))
    if differences := servers.differences(status.slug):
        _print_differences(differences, status)
        print(visible(say("cli.mcp.held_back", count=len(differences), slug=status.slug)))
    return ExitCode.DONE


def _trusted(options: argparse.Namespace, servers: McpServers, status: ServerStatus) -> ExitCode:
    differences = servers.differences(status.slug)
    if not differences:
        print(visible(say("cli.mcp.nothing_new", name=status.name, count=len(status.tools))))
        return ExitCode.DONE
    _print_differences(differences, status)
    if not options.yes and not _agrees():
        print(say("cli.mcp.not_accepted"))
        return ExitCode.FAILED
    servers.accept(status.slug)
    print(visible(say("cli.mcp.accepted", name=status.name, count=len(differences))))
    return ExitCode.DONE


def _agrees() -> bool:
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return False
    try:
        return input(say("cli.mcp.question")).strip().lower() in ("y", "yes")
    except EOFError:
        return False


def _print_differences(differences: list[Difference], status: ServerStatus) -> None:
    for difference in differences:
        name = tool_name(status.slug, difference.after.name)
        print(visible(say("cli.mcp.changed" if difference.before else "cli.mcp.new", tool=name)))
        lines = difference.lines()
        for line in lines[:DIFF_LINES_MAX]:
            print(visible(f"    {one_line(line, 200)}"))
        if len(lines) > DIFF_LINES_MAX:
            print(say("cli.mcp.more_lines", count=len(lines) - DIFF_LINES_MAX))


async def _log_in(config: ServerConfig, spawner: ProcessSpawner, folder: str) -> ExitCode:
    def show(address: str) -> None:
        print(say("cli.mcp.open", address=visible(address)), flush=True)
        if sys.stdout.isatty() and not os.environ.get("SSH_CONNECTION"):
            import webbrowser

            webbrowser.open(address)

    try:
        was_asked = await log_in(config, Tokens(home(), config), spawner=spawner, workspace=folder, show=show)
    except Trouble as trouble:
        complain(trouble)
        return ExitCode.FAILED
    print(visible(say("cli.mcp.logged_in" if was_asked else "mcp.login.not_asked", name=config.name)))
    return ExitCode.DONE
