"""May what a folder's files say take effect? `daedal trust` shows it and asks; `--list`, `--revoke`."""

import argparse
import os
import sys
from typing import Any

import msgspec

from daedal.app import Settings, revoke_trust, trust_folder
from daedal.cli.exit_codes import ExitCode
from daedal.cli.parsing import Parser
from daedal.cli.printing import table, visible
from daedal.cli.streams import complain
from daedal.config import Trust, TrustedFolder, TrustFile, settings_files, trust_path, trust_state
from daedal.protocol.catalogue import say
from daedal.protocol.errors import UsageError


def parser() -> argparse.ArgumentParser:
    parser = Parser("trust")
    parser.add_argument("folder", nargs="?", metavar="DIR", help=say("cli.trust.folder"))
    parser.add_argument("--yes", action="store_true", help=say("cli.trust.yes"))
    actions = parser.add_mutually_exclusive_group()
    actions.add_argument("--list", action="store_true", help=say("cli.trust.list"))
    actions.add_argument("--revoke", action="store_true", help=say("cli.trust.revoke"))
    parser.add_argument("--json", action="store_true", help=say("cli.flag.json"))
    return parser


def run(options: argparse.Namespace) -> int:
    if options.list:
        return _list(json=options.json)
    folder = os.path.realpath(options.folder or os.getcwd())
    # A folder that is gone can still be revoked.
    if not options.revoke and not os.path.isdir(folder):
        raise UsageError(say("cli.trust.no_folder", folder=folder))
    return _revoke(folder) if options.revoke else _trust(folder, options)


def _trust(folder: str, options: argparse.Namespace) -> int:
    state = trust_state(Settings, settings_files(folder))
    if not options.json:
        print(visible(_told(state)))
    if not state.items or state.is_trusted:
        return _answered(state, json=options.json)
    if state.obstacle:
        complain(state.obstacle)
        return _answered(state, json=options.json, code=ExitCode.FAILED)
    if options.yes or _agrees(options):
        trust_folder(folder, state.files)
        state = msgspec.structs.replace(state, is_trusted=True, is_changed=False)
        if not options.json:
            print(visible(say("cli.trust.done", folder=state.root)))
        return _answered(state, json=options.json)
    if not options.json:
        print(say("cli.trust.not_done"))
    return _answered(state, json=options.json, code=ExitCode.FAILED)


def _agrees(options: argparse.Namespace) -> bool:
    if options.json or not (sys.stdin.isatty() and sys.stdout.isatty()):
        return False
    try:
        return input(say("cli.trust.question")).strip().lower() in ("y", "yes")
    except EOFError:
        return False


def _told(state: Trust) -> str:
    if not state.items:
        return say("cli.trust.nothing", folder=state.root)
    key = "trusted" if state.is_trusted else "changed" if state.is_changed else "untrusted"
    lines = [say(f"cli.trust.{key}", folder=state.root)]
    lines += [f"  {item.file}: {item.text}" for item in state.items]
    return "\n".join(lines)


def _answered(state: Trust, *, json: bool, code: ExitCode = ExitCode.DONE) -> int:
    if json:
        plain: dict[str, Any] = msgspec.to_builtins(state)
        print(msgspec.json.encode({key: plain[key] for key in plain if key != "watched"}).decode())
    return code


def _revoke(folder: str) -> int:
    root, is_gone = revoke_trust(folder)
    print(visible(say("cli.trust.revoked" if is_gone else "cli.trust.not_trusted", folder=root)))
    return ExitCode.DONE if is_gone else ExitCode.FAILED


def _list(*, json: bool) -> int:
    folders = TrustFile(trust_path()).folders()
    states = {root: _state(root) for root in folders}
    if json:
        plain = [
            {"folder": root, "trusted_at": known.trusted_at, "state": states[root], "files": known.files}
            for root, known in folders.items()
        ]
        print(msgspec.json.encode(plain).decode())
    elif not folders:
        print(say("cli.trust.none"))
    else:
        rows = [_row(root, known, states[root]) for root, known in folders.items()]
        print(visible(table(say("cli.trust.headings").split("|"), rows)))
    return ExitCode.DONE


def _row(root: str, known: TrustedFolder, state: str) -> list[str]:
    return [known.trusted_at, state, root]


def _state(root: str) -> str:
    if not os.path.isdir(root):
        return "gone"
    state = trust_state(Settings, settings_files(root))
    return "changed" if state.is_changed else "trusted"
