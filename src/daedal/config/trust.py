"""Is a folder trusted? Only with the very content that the person saw: what changed or is new asks again.

A folder's trust is its own: neither the folders above it nor repositories inside it have a part in it.
"""

import os
from collections.abc import Sequence

import msgspec
from msgspec import Struct

from daedal.config.brought import Brought, brought_files
from daedal.config.claims import Claim, claims
from daedal.config.home import Files
from daedal.config.keys import Path, at, dotted, quoted_key
from daedal.config.project import Restrained, restrain
from daedal.config.schema import Node, describe
from daedal.config.scripts import digest, named_files
from daedal.config.trust_file import TrustFile
from daedal.protocol.catalogue import say
from daedal.protocol.errors import ConfigurationError

KEYS_SHOWN_MAX = 8


class Trust(Struct, frozen=True, kw_only=True):
    """What the user thinks of a folder."""

    root: str
    is_trusted: bool = False
    """All that would take effect is as it was when the person trusted it."""
    is_changed: bool = False
    """The folder was trusted once, and something has changed or been added since."""
    items: list[Claim] = []
    """What trust puts into effect, in words; empty where there is nothing to trust."""
    files: dict[str, str] = {}
    """What trust is keyed to: path from the root → SHA-256."""
    watched: list[str] = []
    """Files that commands name, there or not: once one of them changes, this has to be looked at again."""
    obstacle: str = ""
    """Why it can be neither trusted nor known to be."""


class Project(Struct, frozen=True):
    """A project's files, judged."""

    parts: list[tuple[Brought, Restrained]]
    trust: Trust | None
    """None where nothing would need it."""
    warnings: list[str]


def trust_state(schema: type[Struct], files: Files) -> Trust:
    """For somebody who wants to see it. `warnings` of files that cannot be read are not its business."""
    found = judged(describe(schema), files).trust or Trust(root=files.root or "")
    return found if files.trust is None or files.root is None or found.obstacle else _steered(found, files, files.trust)


def _steered(found: Trust, files: Files, store: str) -> Trust:
    """With what skills and agents would decide. They are looked up as they are used, so a start need not know."""
    from daedal.config.agent_types import AgentTypes
    from daedal.config.skill_settings import SkillSettings
    from daedal.config.skills import SkillShelf

    workspace = found.root if files.agent is None else os.path.dirname(os.path.dirname(files.agent))
    steering = [*SkillShelf(workspace, SkillSettings()).look().steering, *AgentTypes(workspace).look().steering]
    items = list(found.items)
    hashes = dict(found.files)
    for one in steering:
        name, summed = one.path[len(found.root.rstrip("/")) + 1 :], digest(one.path, found.root)
        if summed is not None and name.isprintable():
            items.append(Claim(name, one.claim))
            hashes[name] = summed
    try:
        approved = TrustFile(store).folders().get(found.root)
    except ConfigurationError as error:
        return msgspec.structs.replace(found, items=items, obstacle=str(error))
    is_trusted = bool(items) and approved is not None and hashes.items() <= approved.files.items()
    is_changed = bool(items) and approved is not None and not is_trusted
    return msgspec.structs.replace(found, items=items, files=hashes, is_trusted=is_trusted, is_changed=is_changed)


def judged(root: Node, files: Files) -> Project:
    """Reads what the project brings and asks whether it may take effect. Never raises for what a project says."""
    found, warnings = brought_files(files)
    parts = [(brought, restrain(root, brought.layer, files.user)) for brought in found]
    warnings += [warning for _, restrained in parts for warning in restrained.warnings]
    needing = [(brought, held.withheld) for brought, held in parts if held.withheld or not brought.is_inert]
    trust = None
    if needing and (files.root is None or files.trust is None):
        trust = Trust(root=os.path.dirname(needing[0][0].path))
    elif needing and files.root is not None and files.trust is not None:
        trust = _trust(files.root, files.trust, needing)
        warnings += [trust.obstacle] if trust.obstacle else []
    if trust is not None and not trust.is_trusted:
        warnings.append(_notice(trust, needing))
    return Project(parts, trust, warnings)


def _trust(root: str, store: str, needing: Sequence[tuple[Brought, list[Path]]]) -> Trust:
    from hashlib import sha256

    items = [claim for brought, withheld in needing for claim in claims(brought, withheld)]
    hashes = {brought.name: sha256(brought.data).hexdigest() for brought, _ in needing}
    try:
        said = [[at(brought.layer.data, path) for path in withheld] for brought, withheld in needing]
        watched = named_files([said, [list(brought.servers.values()) for brought, _ in needing]], root)
        approved = TrustFile(store).folders().get(root)
    except ConfigurationError as error:
        return Trust(root=root, items=items, obstacle=str(error))
    for path in watched:
        summed = digest(path, root)
        name = path[len(root.rstrip("/")) + 1 :]
        if summed is not None and name not in hashes:
            hashes[name] = summed
            items.append(Claim(name, say("config.trust.script")))
    is_trusted = approved is not None and hashes.items() <= approved.files.items()
    return Trust(
        root=root,
        is_trusted=is_trusted,
        is_changed=approved is not None and not is_trusted,
        items=items,
        files=hashes,
        watched=watched,
    )


def _notice(trust: Trust, needing: Sequence[tuple[Brought, list[Path]]]) -> str:
    """The one visible line about a folder whose files are ignored."""
    keys: list[str] = []
    for brought, withheld in needing:
        origins = brought.layer.origins(withheld)
        keys += [
            f"{dotted(path)} ({brought.name}:{origin.line})" for path, origin in zip(withheld, origins, strict=True)
        ]
        keys += [say("config.trust.servers", file=brought.name)] if brought.servers else []
        keys += [f"{quoted_key(key)} ({brought.name})" for key in brought.allowances]
    listed = ", ".join(keys[:KEYS_SHOWN_MAX]) + (", …" if len(keys) > KEYS_SHOWN_MAX else "")
    key = "config.trust.changed" if trust.is_changed else "config.trust.ignored"
    return say(key, folder=trust.root, listed=listed)
