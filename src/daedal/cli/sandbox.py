"""What can a command do in the sandbox? `daedal sandbox run` runs one as an agent would, `status` tells the walls."""

import argparse
import asyncio
import os
import sys
from collections.abc import Callable

import msgspec
from msgspec.structs import replace

from daedal.app import confinement_here
from daedal.cli.exit_codes import ExitCode
from daedal.cli.parsing import Parser, Part, add_project_folder
from daedal.cli.printing import visible
from daedal.cli.streams import complain, put_json, tell
from daedal.protocol.catalogue import say
from daedal.protocol.confinement import Confinement, Network
from daedal.protocol.errors import UsageError
from daedal.protocol.seams import Job
from daedal.sandbox import ConfinedSpawner, ProcessSpawner, SpawnFailed


def parser() -> argparse.ArgumentParser:
    parser = Parser("sandbox")
    actions = parser.add_subparsers(
        dest="action", required=True, metavar="ACTION", parser_class=Part, help=say("cli.flag.action")
    )
    run = actions.add_parser("run", help=say("cli.sandbox.run"))
    run.add_argument("--network", action="store_true", help=say("cli.sandbox.network"))
    run.add_argument("--allow-domain", action="append", default=[], metavar="D", help=say("cli.sandbox.allow_domain"))
    run.add_argument("--write", action="append", default=[], metavar="DIR", help=say("cli.sandbox.write"))
    run.add_argument("--forbid-read", action="append", default=[], metavar="DIR", help=say("cli.sandbox.forbid_read"))
    add_project_folder(run)
    run.add_argument("command", nargs=argparse.REMAINDER, metavar="-- CMD", help=say("cli.sandbox.command"))
    status = actions.add_parser("status", help=say("cli.sandbox.status"))
    status.add_argument("--json", action="store_true", help=say("cli.flag.json"))
    add_project_folder(status)
    return parser


def run(options: argparse.Namespace) -> int:
    if options.action == "status":
        return asyncio.run(_status(options))
    words: list[str] = options.command[1:] if options.command[:1] == ["--"] else options.command
    if not words:
        raise UsageError(say("cli.sandbox.no_command"))
    return asyncio.run(_run(options, words))


def _folder(options: argparse.Namespace) -> str:
    folder = os.path.realpath(options.cd or os.getcwd())
    if not os.path.isdir(folder):
        raise UsageError(say("cli.sandbox.no_folder", path=folder))
    return folder


async def _status(options: argparse.Namespace) -> int:
    spawner = ProcessSpawner([])
    walls = spawner.within(confinement_here(_folder(options)))
    try:
        standing = walls.stands()
        if options.json:
            limits = {name: getattr(walls.confinement, name) for name in ("writable", "read_only", "unreadable")}
            network = {"network": walls.confinement.network, "domains": walls.confinement.domains}
            found = {"mechanism": walls.mechanism, "confined": standing is not None, "gaps": walls.gaps}
            put_json(msgspec.json.encode({**found, **limits, **network}))
        else:
            print(visible(described(walls)))
    finally:
        await spawner.close()
    return ExitCode.DONE if standing is not None else ExitCode.FAILED


async def _run(options: argparse.Namespace, words: list[str]) -> int:
    folder = _folder(options)
    spawner = ProcessSpawner([])
    walls = spawner.within(_widened(confinement_here(folder), options))
    try:
        if walls.mechanism is None:
            complain(say("cli.sandbox.none", reason=walls.gaps))
            return ExitCode.FAILED
        tell(described(walls))
        job = Job(argv=words, cwd=folder, env=walls.environment())
        finish = await walls.feed(job, _writer(sys.stdout.fileno()), _writer(sys.stderr.fileno()))
        for moved in walls.moved_aside():
            tell(say("cli.sandbox.moved_aside", path=moved.path, aside=moved.aside or moved.path))
        return finish.exit_code
    except SpawnFailed as failure:
        complain(failure)
        return ExitCode.FAILED
    finally:
        await spawner.close()


def _widened(walls: Confinement, options: argparse.Namespace) -> Confinement:
    """What the person says on the command line counts beside the settings."""
    places = {name: [os.path.realpath(path) for path in getattr(options, name)] for name in ("write", "forbid_read")}
    network = Network.ON if options.network else Network.LISTED if options.allow_domain else walls.network
    return replace(
        walls,
        writable=[*walls.writable, *places["write"]],
        unreadable=[*walls.unreadable, *places["forbid_read"]],
        network=network,
        domains=[*walls.domains, *options.allow_domain],
    )


def described(walls: ConfinedSpawner) -> str:
    """One line: what confines commands, and to what."""
    limits = walls.confinement
    if walls.mechanism is None:
        return say("cli.sandbox.none", reason=walls.gaps)
    network = say(f"cli.sandbox.network_{limits.network}", domains=", ".join(limits.domains))
    line = say("cli.sandbox.line", mechanism=walls.mechanism, writable=", ".join(limits.writable), network=network)
    return f"{line} · {say('cli.sandbox.gaps', gaps=walls.gaps)}" if walls.gaps else line


def _writer(number: int) -> Callable[[bytes], bool]:
    def write(chunk: bytes) -> bool:
        rest = memoryview(chunk)
        while rest:
            rest = rest[os.write(number, rest) :]
        return True

    return write
