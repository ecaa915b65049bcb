"""What works here, what is missing, and what can be done about it? For `daedal doctor` and every face."""

import os
import sys
from collections.abc import Callable
from typing import Literal

from daedal.app.credentials import Credentials
from daedal.app.in_force import settings_in_force
from daedal.app.reading import open_ledger
from daedal.app.settings import Settings
from daedal.app.startup import supplied
from daedal.config import database_path, home, load_files, secret_paths, settings_files
from daedal.protocol.catalogue import say
from daedal.protocol.confinement import Confinement
from daedal.protocol.errors import DaedalError
from daedal.protocol.housekeeping import Checkup
from daedal.providers import resolve
from daedal.sandbox import SandboxSettings, SpawnFailed, confinement, find_program, prove, search_program

PROGRAMS = ("ripgrep", "bash", "git")
"""What tools need."""


def examined(folder: str) -> list[Checkup]:
    return [found for examine in EXAMINATIONS for found in _guarded(examine, folder)]


def _guarded(examine: Callable[[str], list[Checkup]], folder: str) -> list[Checkup]:
    """One thing that is broken must not hide the others."""
    try:
        return examine(folder)
    except DaedalError as trouble:
        message, _, advice = str(trouble).partition(" · ")
        return [_checkup(examine.__name__.lstrip("_"), state="missing", detail=message, advice=advice)]


def _checkup(name: str, *, state: Literal["ok", "warning", "missing"], detail: str, advice: str = "") -> Checkup:
    label = name if name in PROGRAMS else say(f"app.doctor.{name}")
    return Checkup(name=name, label=label, state=state, detail=detail, advice=advice)


def _python(folder: str) -> list[Checkup]:
    del folder
    version = ".".join(map(str, sys.version_info[:3]))
    return [_checkup("python", state="ok", detail=f"{version} ({sys.executable})")]


def _programs(folder: str) -> list[Checkup]:
    """Programs that tools need. ripgrep comes with Daedal; git and bash are the system's."""
    del folder
    try:
        ripgrep = search_program()
    except SpawnFailed:
        ripgrep = None
    found = {name: ripgrep if name == "ripgrep" else find_program(name) for name in PROGRAMS}
    return [
        _checkup(name, state="ok", detail=path)
        if path
        else _checkup(
            name, state="missing", detail=say("app.doctor.not_found"), advice=say(f"app.doctor.install_{name}")
        )
        for name, path in found.items()
    ]


def _settings(folder: str) -> list[Checkup]:
    files = settings_files(folder)
    loaded = load_files(Settings, files, {})
    name = "settings"
    read = [path for path in (files.user, files.project) if path and os.path.exists(path)]
    checks = [_checkup(name, state="ok", detail=", ".join(read) or say("app.doctor.defaults"))]
    checks += [_checkup(name, state="warning", detail=warning) for warning in loaded.warnings]
    return checks


def _model(folder: str) -> list[Checkup]:
    # What is wrong with the ledger was said above, where it was examined.
    found = settings_in_force(folder, lambda _: None)
    credentials = Credentials()
    name = "model"
    checks = [_checkup(name, state="warning", detail=warning) for warning in credentials.warnings]
    chosen = found.model_config
    card = resolve(
        provider=chosen.provider if chosen else None,
        model=chosen.model_id if chosen else found.value.default_model or None,
        entries=found.value.providers,
        env=credentials.environment(),
        is_supplied=supplied(found.value, credentials),
    ).card
    detail = say("app.doctor.model_ready", model=card.model_id, provider=card.provider)
    return [*checks, _checkup(name, state="ok", detail=detail)]


def _ledger(folder: str) -> list[Checkup]:
    del folder
    name = "ledger"
    with open_ledger() as ledger:
        if ledger is None:
            return [_checkup(name, state="ok", detail=say("app.doctor.no_ledger", path=database_path()))]
        return [
            _checkup(name, state="ok" if finding.ok else "missing", detail=f"{finding.check}: {finding.detail}")
            for finding in ledger.health()
        ]


def _sandbox(folder: str) -> list[Checkup]:
    """Tried out, not believed: a command in the sandbox attempts what it must not be able to."""
    name, advice = "sandbox", say("app.doctor.sandbox_advice")
    try:
        proofs = prove(confinement_here(folder))
    except SpawnFailed as failure:
        return [_checkup(name, state="missing", detail=say("app.doctor.unconfined", reason=failure), advice=advice)]
    states = {"proven": "ok", "allowed": "warning", "open": "missing"}
    return [
        _checkup(
            name,
            state=states[proof.state],  # type: ignore[arg-type]
            detail=f"{say(f'app.doctor.wall_{proof.wall}')}: {say(f'app.doctor.{proof.state}')}",
            advice=advice if proof.state == "open" else "",
        )
        for proof in proofs
    ]


def confinement_here(folder: str) -> Confinement:
    """The walls of a session in that folder, whether or not they are switched on."""
    from msgspec.structs import replace

    settings = settings_in_force(folder, lambda _: None).value.sandbox
    return _walls_of(replace(settings, enabled=True), folder)


def _walls_of(settings: SandboxSettings, folder: str) -> Confinement:
    from tempfile import gettempdir

    database = database_path()
    return confinement(
        settings,
        workspace=folder,
        home=os.path.expanduser("~"),
        temp=gettempdir(),
        unreadable=[*secret_paths(), *(database + ending for ending in ("", "-wal", "-shm"))],
        unattended=False,
        read_only=[home()],
        environment=os.environ,
    )


EXAMINATIONS = (_python, _programs, _settings, _ledger, _model, _sandbox)
