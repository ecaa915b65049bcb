"""How does a newcomer connect a model? `daedal setup` asks, tries it with one real call, and saves; or all by flags."""

import argparse
import asyncio
import os
import sys

import msgspec
from msgspec import Struct

from daedal.app import Credentials, Settings, TrialResult, try_provider
from daedal.cli.exit_codes import ExitCode
from daedal.cli.options import Options
from daedal.cli.parsing import Parser
from daedal.cli.printing import one_line
from daedal.config import add_table, dotenv_path, load, set_value, user_config_path, write_dotenv
from daedal.protocol.catalogue import say
from daedal.protocol.errors import ConfigurationError, UsageError
from daedal.providers import ProviderSettings, resolve


class BuiltIn(Struct, frozen=True, kw_only=True):
    """What a built-in provider needs to know."""

    model: str
    key: str
    instead_of_key: str = ""
    """Another variable that does as well."""
    key_required: bool = True
    base_url: str
    """The variable."""
    base_url_required: bool = False
    model_variable: str = ""


BUILT_IN = {
    "claude_code_subscription": BuiltIn(
        model="claude_sonnet_4",
        key="ANTHROPIC_API_KEY",
        instead_of_key="ANTHROPIC_AUTH_TOKEN",
        base_url="ANTHROPIC_BASE_URL",
    ),
    "openai_compatible": BuiltIn(
        model="gpt_4o", key="OPENAI_API_KEY", base_url="OPENAI_BASE_URL", base_url_required=True
    ),
    "lm_studio_local": BuiltIn(
        model="lm_studio_server_routed",
        key="LM_STUDIO_API_KEY",
        key_required=False,
        base_url="LM_STUDIO_BASE_URL",
        model_variable="LM_STUDIO_MODEL",
    ),
}


class Plan(Struct, kw_only=True):
    """What is about to be tried and saved."""

    default_model: str
    secrets: dict[str, str]
    """For `.env`."""
    entry: ProviderSettings | None = None
    """Where the provider is not built in."""
    fields: dict[str, str] = {}
    """The same, as it goes into `[[providers]]`."""


def parser() -> argparse.ArgumentParser:
    parser = Parser("setup")
    parser.add_argument("--provider", metavar="NAME", help=say("cli.setup.provider"))
    parser.add_argument("--kind", choices=["anthropic", "openai"], help=say("cli.setup.kind"))
    parser.add_argument("--wire", choices=["chat", "responses"], help=say("cli.setup.wire"))
    parser.add_argument("--base-url", metavar="URL", help=say("cli.setup.base_url"))
    parser.add_argument("--model", metavar="MODEL", help=say("cli.setup.model"))
    parser.add_argument("--api-key", metavar="KEY", help=say("cli.setup.api_key"))
    parser.add_argument("--api-key-stdin", action="store_true", help=say("cli.setup.api_key_stdin"))
    parser.add_argument("--no-check", action="store_true", help=say("cli.setup.no_check"))
    return parser


def run(options: Options) -> int:
    interactive = sys.stdin.isatty() and sys.stderr.isatty()
    if options.api_key_stdin:
        options.api_key = sys.stdin.readline().strip()
        interactive = False
    name = options.provider or (_ask_provider() if interactive else None)
    if not name:
        raise UsageError(say("cli.setup.needs_provider", known=", ".join(BUILT_IN)))
    make = _built_in if name in BUILT_IN else _further
    plan = make(name, options, interactive=interactive)
    _check_names(plan)
    if not options.no_check:
        print(say("cli.setup.trying", model=plan.default_model), file=sys.stderr)
        result = asyncio.run(_try(plan))
        print(say("cli.setup.works", model=result.model, answer=one_line(result.answer, 60)))
    _save(plan)
    return ExitCode.DONE


def _built_in(name: str, options: Options, *, interactive: bool) -> Plan:
    known = BUILT_IN[name]
    if options.kind or options.wire:
        raise UsageError(say("cli.setup.kind_of_built_in", name=name))
    secrets: dict[str, str] = {}
    is_set = bool(os.environ.get(known.key) or os.environ.get(known.instead_of_key or known.key))
    key = options.api_key or ("" if is_set else _ask_secret(known.key, interactive=interactive))
    if key:
        secrets[known.key] = key
    elif known.key_required and not is_set:
        raise UsageError(say("cli.setup.needs_key", name=name, variable=known.key))
    url = options.base_url or (_ask(say("cli.setup.ask_url")) if known.base_url_required and interactive else "")
    if url:
        secrets[known.base_url] = url
    model = options.model or known.model
    if known.model_variable:
        # The server decides what its models are called; our id only says that it does.
        named = options.model if options.model != known.model else None
        if named is None and interactive and not os.environ.get(known.model_variable):
            named = _ask(say("cli.setup.ask_model"))
        if named:
            secrets[known.model_variable], model = named, known.model
    return Plan(default_model=f"{name}/{model}", secrets=secrets)


def _further(name: str, options: Options, *, interactive: bool) -> Plan:
    url = options.base_url or (_ask(say("cli.setup.ask_url")) if interactive else "")
    model = options.model or (_ask(say("cli.setup.ask_model")) if interactive else "")
    if not url or not model:
        raise UsageError(say("cli.setup.needs_url_and_model", name=name, known=", ".join(BUILT_IN)))
    variable = "".join(character if character.isalnum() else "_" for character in name.upper()) + "_API_KEY"
    key = options.api_key or ("" if os.environ.get(variable) else _ask_secret(variable, interactive=interactive))
    fields = {"name": name, "kind": options.kind or "openai", "base_url": url, "model": model, "api_key_env": variable}
    if options.wire:
        fields["wire"] = options.wire
    if not key and not os.environ.get(variable):
        del fields["api_key_env"]  # A server on this machine often wants none.
    try:
        entry = msgspec.convert(fields, ProviderSettings)
    except msgspec.ValidationError as error:
        raise ConfigurationError(str(error)) from error
    return Plan(default_model=f"{name}/{model}", secrets={variable: key} if key else {}, entry=entry, fields=fields)


def _check_names(plan: Plan) -> None:
    """Before anything is tried or saved: the file can be read, and what is planned could be used."""
    settings = load(Settings, user_file=user_config_path(), project_file=None, flags={}).value
    resolve(provider=None, model=plan.default_model, entries=_entries(plan, settings), env=_environment(plan))


def _entries(plan: Plan, settings: Settings) -> list[ProviderSettings]:
    others = [entry for entry in settings.providers if plan.entry is None or entry.name != plan.entry.name]
    return [*others, plan.entry] if plan.entry is not None else others


def _environment(plan: Plan) -> dict[str, str]:
    return {**Credentials().environment(), **plan.secrets}


async def _try(plan: Plan) -> TrialResult:
    settings = load(Settings, user_file=user_config_path(), project_file=None, flags={}).value
    return await try_provider(
        provider=None,
        model=plan.default_model,
        entries=_entries(plan, settings),
        network=settings.network,
        env=_environment(plan),
    )


def _save(plan: Plan) -> None:
    file = user_config_path()
    if plan.entry is not None:
        add_table(file, "providers", plan.fields, Settings)
    if plan.secrets:
        write_dotenv(dotenv_path(), plan.secrets)
        print(say("cli.setup.saved_keys", names=", ".join(plan.secrets), file=dotenv_path()))
    set_value(file, "default_model", plan.default_model, Settings)
    print(say("cli.setup.saved", model=plan.default_model, file=file))


def _ask_provider() -> str:
    print(say("cli.setup.choose"), file=sys.stderr)
    names = list(BUILT_IN)
    for number, name in enumerate(names, 1):
        print(f"  {number}  {say(f'cli.setup.about_{name}', name=name)}", file=sys.stderr)
    while True:
        answer = _ask(say("cli.setup.ask_provider"))
        if not answer.isdigit() and answer:
            return answer
        if answer.isdigit() and 0 < int(answer) <= len(names):
            return names[int(answer) - 1]


def _ask(question: str) -> str:
    sys.stderr.write(f"{question} ")
    sys.stderr.flush()
    return sys.stdin.readline().strip()


def _ask_secret(variable: str, *, interactive: bool) -> str:
    if not interactive:
        return ""
    from getpass import getpass

    return getpass(say("cli.setup.ask_key", variable=variable) + " ").strip()
