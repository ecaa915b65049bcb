"""What works here, what is missing, and what can be done about it? `daedal doctor`."""

import argparse
import os
import sys
from collections.abc import Callable

import msgspec
from msgspec import Struct

from daedal import __version__
from daedal.cli.exit_codes import ExitCode
from daedal.cli.parsing import Parser, add_project_folder
from daedal.cli.printing import visible
from daedal.protocol.catalogue import say
from daedal.protocol.errors import DaedalError


class Check(Struct, frozen=True, kw_only=True):
    name: str
    state: str
    """`ok`, `warning` (works, with a catch) or `missing` (something will not work)."""
    detail: str
    advice: str = ""


def parser() -> argparse.ArgumentParser:
    parser = Parser("doctor")
    parser.add_argument("--json", action="store_true", help=say("cli.flag.json"))
    add_project_folder(parser)
    return parser


def run(options: argparse.Namespace) -> int:
    folder = os.path.realpath(options.cd or os.getcwd())
    checks = [found for examine in EXAMINATIONS for found in _guarded(examine, folder)]
    if options.json:
        print(msgspec.json.encode({"version": __version__, "checks": checks}).decode())
    else:
        for found in checks:
            print(visible(_line(found)))
    return ExitCode.FAILED if any(found.state == "missing" for found in checks) else ExitCode.DONE


def _guarded(examine: Callable[[str], list[Check]], folder: str) -> list[Check]:
    """One thing that is broken must not hide the others."""
    try:
        return examine(folder)
    except DaedalError as trouble:
        message, _, advice = str(trouble).partition(" · ")
        name = say(f"cli.doctor.{examine.__name__.lstrip('_')}")
        return [Check(name=name, state="missing", detail=message, advice=advice)]


def _line(found: Check) -> str:
    mark = {"ok": "✓", "warning": "!", "missing": "✗"}[found.state]
    advice = f" · {found.advice}" if found.advice else ""
    return f"{mark} {found.name:<14} {found.detail}{advice}"


def _python(folder: str) -> list[Check]:
    del folder
    version = ".".join(map(str, sys.version_info[:3]))
    return [Check(name=say("cli.doctor.python"), state="ok", detail=f"{version} ({sys.executable})")]


def _programs(folder: str) -> list[Check]:
    """Programs that tools need. ripgrep comes with Daedal; git and bash are the system's."""
    del folder
    from daedal.sandbox import SpawnFailed, find_program, search_program

    try:
        ripgrep = search_program()
    except SpawnFailed:
        ripgrep = None
    found = {"ripgrep": ripgrep, "bash": find_program("bash"), "git": find_program("git")}
    return [
        Check(name=name, state="ok", detail=path)
        if path
        else Check(
            name=name, state="missing", detail=say("cli.doctor.not_found"), advice=say(f"cli.doctor.install_{name}")
        )
        for name, path in found.items()
    ]


def _settings(folder: str) -> list[Check]:
    from daedal.app import Settings
    from daedal.config import load_files, settings_files

    files = settings_files(folder)
    loaded = load_files(Settings, files, {})
    name = say("cli.doctor.settings")
    read = [path for path in (files.user, files.project) if path and os.path.exists(path)]
    checks = [Check(name=name, state="ok", detail=", ".join(read) or say("cli.doctor.defaults"))]
    checks += [Check(name=name, state="warning", detail=warning) for warning in loaded.warnings]
    return checks


def _model(folder: str) -> list[Check]:
    from daedal.app import Credentials
    from daedal.cli.in_force import settings_in_force
    from daedal.providers import resolve

    # What is wrong with the ledger was said above, where it was examined.
    found = settings_in_force(folder, lambda _: None)
    credentials = Credentials()
    name = say("cli.doctor.model")
    checks = [Check(name=name, state="warning", detail=warning) for warning in credentials.warnings]
    chosen = found.model_config
    card = resolve(
        provider=chosen.provider if chosen else None,
        model=chosen.model_id if chosen else found.value.default_model or None,
        entries=found.value.providers,
        env=credentials.environment(),
    ).card
    detail = say("cli.doctor.model_ready", model=card.model_id, provider=card.provider)
    return [*checks, Check(name=name, state="ok", detail=detail)]


def _ledger(folder: str) -> list[Check]:
    del folder
    from daedal.app import open_ledger
    from daedal.config import database_path

    name = say("cli.doctor.ledger")
    with open_ledger() as ledger:
        if ledger is None:
            return [Check(name=name, state="ok", detail=say("cli.doctor.no_ledger", path=database_path()))]
        return [
            Check(name=name, state="ok" if finding.ok else "missing", detail=f"{finding.check}: {finding.detail}")
            for finding in ledger.health()
        ]


def _sandbox(folder: str) -> list[Check]:
    """Tried out, not believed: a command in the sandbox attempts what it must not be able to."""
    from daedal.cli.sandbox import confinement_here
    from daedal.sandbox import SpawnFailed, prove

    name, advice = say("cli.doctor.sandbox"), say("cli.doctor.sandbox_advice")
    try:
        proofs = prove(confinement_here(folder))
    except SpawnFailed as failure:
        return [Check(name=name, state="missing", detail=say("cli.doctor.unconfined", reason=failure), advice=advice)]
    states = {"proven": "ok", "allowed": "warning", "open": "missing"}
    return [
        Check(
            name=name,
            state=states[proof.state],
            detail=f"{say(f'cli.doctor.wall_{proof.wall}')}: {say(f'cli.doctor.{proof.state}')}",
            advice=advice if proof.state == "open" else "",
        )
        for proof in proofs
    ]


EXAMINATIONS = (_python, _programs, _settings, _ledger, _model, _sandbox)
