"""What is remembered beyond a session? `daedal memory` lists, searches, shows, edits, forgets and exports it."""

import argparse
import asyncio
import os
import sys
from collections.abc import Sequence
from contextlib import closing

import msgspec

from daedal.app import open_ledger
from daedal.cli.exit_codes import ExitCode
from daedal.cli.options import Options, whole_number
from daedal.cli.parsing import Parser, Part, typed
from daedal.cli.printing import one_line, table, visible
from daedal.cli.streams import put_json
from daedal.ledger import ArchivedMemory, Ledger, MemoryRefused, StoredMemory, moment, without_lookalikes
from daedal.protocol.catalogue import say
from daedal.protocol.errors import UsageError

LIMIT = 50
TITLE_MAX = 60
FOLDER_MAX = 40
EVERYTHING = 2**62
PARTS = ("title", "content", "type", "keywords")
STDIN_CHARACTERS_MAX = 100_000
"""More than a memory may hold by far; what comes after it is not waited for."""


def parser() -> argparse.ArgumentParser:
    parser = Parser("memory")
    actions = parser.add_subparsers(
        dest="action",
        required=True,
        metavar="ACTION",
        parser_class=Part,
        help=say("cli.flag.action"),
    )
    listing = actions.add_parser("list", help=say("cli.memory.list"))
    listing.add_argument("--archived", action="store_true", help=say("cli.memory.archived"))
    search = actions.add_parser("search", help=say("cli.memory.search"))
    search.add_argument("words", nargs="+", metavar="WORD", help=say("cli.memory.words"))
    for one in (listing, search):
        one.add_argument("--here", action="store_true", help=say("cli.memory.here"))
        one.add_argument("--limit", type=typed(whole_number), default=LIMIT, metavar="N", help=say("cli.memory.limit"))
    show = actions.add_parser("show", help=say("cli.memory.show"))
    edit = actions.add_parser("edit", help=say("cli.memory.edit"))
    for part in PARTS:
        edit.add_argument(f"--{part}", metavar="TEXT", help=say(f"cli.memory.{part}"))
    edit.add_argument("--scope", choices=["project", "global"], help=say("cli.memory.scope"))
    forget = actions.add_parser("forget", help=say("cli.memory.forget"))
    for one in (show, edit, forget):
        one.add_argument("id", help=say("cli.memory.id"))
    for one in (listing, search, show, edit, forget):
        one.add_argument("--json", action="store_true", help=say("cli.flag.json"))
    export = actions.add_parser("export", help=say("cli.memory.export"))
    export.add_argument("--archived", action="store_true", help=say("cli.memory.archived"))
    return parser


def run(options: Options) -> int:
    if options.action in ("edit", "forget"):
        return _change(options)
    with open_ledger() as ledger:
        match options.action:
            case "show":
                _show(_found(ledger, options.id), json=options.json)
            case "export":
                _export(_listed(ledger, options, limit=EVERYTHING))
            case "search":
                _print(_searched(ledger, options), json=options.json, otherwise="cli.memory.no_match")
            case _:
                _print(_listed(ledger, options, limit=options.limit), json=options.json, otherwise="cli.memory.none")
    return ExitCode.DONE


def _listed(ledger: Ledger | None, options: Options, *, limit: int) -> Sequence[StoredMemory]:
    if ledger is None:
        return []
    if options.archived:
        return ledger.memories.archived(limit=limit)
    here = options.action == "list" and options.here
    return ledger.memories.listed(project=_here() if here else None, limit=limit)


def _searched(ledger: Ledger | None, options: Options) -> Sequence[StoredMemory]:
    if ledger is None:
        return []
    project = _here() if options.here else None
    return ledger.memories.search(" ".join(options.words), project=project, limit=options.limit)


def _found(ledger: Ledger | None, prefix: str) -> StoredMemory:
    if ledger is None:
        raise MemoryRefused(say("ledger.memory_unknown", id=prefix))
    return ledger.memories.find(prefix)


def _change(options: Options) -> int:
    from daedal.app import corrected, living, start_up

    with open_ledger() as looking:
        memory = living(_found(looking, options.id))
    given = _given(options) if options.action == "edit" else {}
    startup = start_up(None)
    with closing(startup.ledger) as ledger:
        if options.action == "forget":
            changed: StoredMemory = asyncio.run(ledger.memories.forget(memory.id))
        else:
            changed = asyncio.run(corrected(startup, memory.id, given))
    if options.json:
        put_json(msgspec.json.encode(changed))
    else:
        done = "cli.memory.edited" if options.action == "edit" else "cli.memory.forgotten"
        print(visible(say(done, id=changed.id, title=changed.title)))
    return ExitCode.DONE


def _given(options: Options) -> dict[str, str | None]:
    """What the command line changes; without any of it, the content comes from standard input."""
    given: dict[str, str | None] = {
        part: getattr(options, part) for part in PARTS if getattr(options, part) is not None
    }
    if options.scope is not None:
        given["project_scope"] = _here() if options.scope == "project" else None
    if not given:
        if sys.stdin.isatty():
            raise UsageError(say("cli.memory.nothing_given", id=options.id))
        given["content"] = sys.stdin.buffer.read(STDIN_CHARACTERS_MAX).decode("utf-8", "replace")
    if given.get("content") is not None and not str(given["content"]).strip():
        raise UsageError(say("cli.memory.empty"))
    return given


def _print(found: Sequence[StoredMemory], *, json: bool, otherwise: str) -> None:
    if json:
        put_json(msgspec.json.encode(found))
    elif not found:
        print(say(otherwise))
    else:
        print(visible(table(say("cli.memory.headings").split("|"), [_row(memory) for memory in found])))


def _row(memory: StoredMemory) -> list[str]:
    return [
        memory.id,
        moment(memory.updated_at),
        one_line(memory.type, TITLE_MAX),
        one_line(memory.project_scope or say("cli.memory.everywhere"), FOLDER_MAX),
        one_line(memory.title, TITLE_MAX),
    ]


def _show(memory: StoredMemory, *, json: bool) -> None:
    if json:
        put_json(msgspec.json.encode(memory))
        return
    facts = {
        "type": memory.type,
        "scope": memory.project_scope or say("cli.memory.everywhere"),
        "keywords": memory.keywords,
        "anticipated_queries": memory.anticipated_queries,
        "concept_tags": memory.concept_tags,
        "created": moment(memory.created_at),
        "changed": moment(memory.updated_at),
        "read": str(memory.access_count),
        "archived": moment(memory.archived_at) if isinstance(memory, ArchivedMemory) else None,
    }
    print(visible(f"{memory.id}  {one_line(memory.title, 10 * TITLE_MAX)}"))
    for name, value in facts.items():
        if value:
            print(visible(f"{say(f'cli.memory.shown_{name}')}: {one_line(value, 10 * TITLE_MAX)}"))
    print(visible(f"\n{memory.content or ''}"))


def _export(memories: Sequence[StoredMemory]) -> None:
    """One line of JSON each. What looks like a secret does not leave with it."""
    for memory in memories:
        put_json(msgspec.json.encode(without_lookalikes(msgspec.to_builtins(memory))))


def _here() -> str:
    return os.path.realpath(os.getcwd())
