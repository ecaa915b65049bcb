"""As whom are models asked? `daedal auth`: log in, log out, and which source of a credential wins and why."""

import argparse
import asyncio
import os
import sys
from typing import cast

import msgspec

from daedal.app import Credentials, HouseAccounts, settings_in_force, stripped
from daedal.cli.exit_codes import ExitCode
from daedal.cli.options import Options
from daedal.cli.parsing import Parser, add_project_folder
from daedal.cli.printing import table, visible
from daedal.cli.streams import complain, warn
from daedal.config import project_root, settings_files
from daedal.protocol.accounts import AccountLoginParams, AccountLoginResponse, AccountLogoutParams, AccountReadParams
from daedal.protocol.catalogue import say


def parser() -> argparse.ArgumentParser:
    parser = Parser("auth")
    parser.add_argument("action", choices=["login", "logout", "status"], help=say("cli.auth.action"))
    parser.add_argument("--provider", metavar="NAME", help=say("cli.auth.provider"))
    parser.add_argument("--device", action="store_true", help=say("cli.auth.device"))
    parser.add_argument("--bare", action="store_true", help=say("cli.auth.bare"))
    parser.add_argument("--json", action="store_true", help=say("cli.flag.json"))
    add_project_folder(parser)
    return parser


def run(options: Options) -> int:
    accounts = _accounts(options)
    match options.action:
        case "login":
            return asyncio.run(_log_in(accounts, options))
        case "logout":
            return asyncio.run(_log_out(accounts, options))
        case _:
            return asyncio.run(_status(accounts, options))


def _accounts(options: Options) -> HouseAccounts:
    folder = os.path.realpath(options.cd or os.getcwd())
    found = settings_in_force(folder, lambda trouble: warn(str(trouble)))
    for warning in found.warnings:
        warn(warning)
    return HouseAccounts(
        stripped(found, settings_files(folder)) if options.bare else found.value,
        Credentials(is_bare=options.bare),
        vouched=found.vouched,
        root=project_root(folder),
        default_provider=found.model_config.provider if found.model_config else None,
    )


async def _log_in(accounts: HouseAccounts, options: Options) -> int:
    params = AccountLoginParams(type="chatgptDeviceCode" if options.device else "chatgpt", provider=options.provider)
    begun = await accounts.start_login(params)
    _show(begun, options)
    completed = await accounts.finish_login(begun.login_id)
    if options.json:
        print(msgspec.json.encode(completed).decode())
    elif completed.error is not None:
        complain(completed.error)
    if not completed.success:
        return ExitCode.FAILED
    if not options.json:
        told = await accounts.read_account(AccountReadParams(provider=options.provider))
        login = next(source for source in told.sources if source.id == "login")
        print(visible(say("cli.auth.logged_in", provider=told.provider, detail=login.detail)))
        if not login.in_use:
            warn(visible(told.why))
    return ExitCode.DONE


def _show(begun: AccountLoginResponse, options: Options) -> None:
    if options.json:
        print(msgspec.json.encode(begun).decode(), flush=True)
        return
    if begun.user_code is not None:
        code, url = visible(begun.user_code), visible(begun.verification_url or "")
        print(say("cli.auth.enter", code=code, address=url), flush=True)
        return
    address = cast("str", begun.auth_url)
    print(say("cli.auth.open", address=visible(address)), flush=True)
    if sys.stdout.isatty() and not os.environ.get("SSH_CONNECTION"):
        import webbrowser

        webbrowser.open(address)


async def _log_out(accounts: HouseAccounts, options: Options) -> int:
    before = await accounts.read_account(AccountReadParams(provider=options.provider))
    was_there = any(source.id == "login" and source.present for source in before.sources)
    trouble = await accounts.log_out(AccountLogoutParams(provider=options.provider))
    after = await accounts.read_account(AccountReadParams(provider=options.provider))
    if options.json:
        said = {"provider": after.provider, "was_logged_in": was_there, "not_revoked": trouble or None}
        print(msgspec.json.encode(said).decode())
        return ExitCode.DONE
    if trouble:
        warn(visible(say("app.account.not_revoked", reason=trouble)))
    print(visible(say("cli.auth.logged_out" if was_there else "cli.auth.was_not", provider=after.provider)))
    if after.in_use is not None:
        warn(visible(say("cli.auth.still", why=after.why)))
    return ExitCode.DONE


async def _status(accounts: HouseAccounts, options: Options) -> int:
    told = await accounts.read_account(AccountReadParams(provider=options.provider))
    if options.json:
        print(msgspec.json.encode(told).decode())
        return ExitCode.DONE if told.in_use else ExitCode.FAILED
    print(visible(told.why))
    rows = [
        [str(number), _mark(in_use=source.in_use, present=source.present), source.name, source.detail]
        for number, source in enumerate(told.sources, 1)
    ]
    print(visible(table(say("cli.auth.headings").split("|"), rows)))
    return ExitCode.DONE if told.in_use else ExitCode.FAILED


def _mark(*, in_use: bool, present: bool) -> str:
    return say("cli.auth.in_use" if in_use else "cli.auth.outranked" if present else "cli.auth.absent")
