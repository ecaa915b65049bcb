"""What holds in this session? Who asks the model, which one, in which mode and walls, and what has been used up."""

import sys
from typing import TYPE_CHECKING

from daedal import __version__
from daedal.client import CallFailed
from daedal.protocol.accounts import AccountReadParams
from daedal.protocol.catalogue import say
from daedal.protocol.housekeeping import UsageReadParams
from daedal.protocol.inventory import ServerStatusParams
from daedal.protocol.thread_settings import ThreadSettingsUpdateParams
from daedal.tui.blocks.notices import short
from daedal.tui.commands.cost import dollars, total_of
from daedal.tui.face import Face
from daedal.tui.near_home import near_home
from daedal.tui.panel import pairs

if TYPE_CHECKING:
    from daedal.protocol.thread_settings import ThreadSettings

GUESTS = ("codex", "claude")


async def run(face: Face, arguments: str) -> None:
    del arguments
    view = face.view
    settings: ThreadSettings = (
        await face.call("thread/settings/update", ThreadSettingsUpdateParams(thread_id=view.thread_id))
    ).thread_settings
    view.settings(settings)
    effort = f" · {say('tui.status.effort')} {view.effort or say('tui.status.unset')}"
    told = [
        (say("tui.status.version"), _versions()),
        (say("tui.status.session"), view.thread_id),
        (say("tui.status.folder"), near_home(settings.cwd)),
        (say("tui.status.account"), await _account(face)),
        (say("tui.status.model"), f"{view.model} ({view.provider}){effort}"),
        (say("tui.status.engine"), _engine(face)),
        (say("tui.status.mode"), f"{view.mode} · {say('tui.status.approvals')} {view.posture}"),
        (say("tui.status.sandbox"), _sandbox(str(settings.sandbox_policy.get("type", "")))),
        *await _servers(face),
        (say("tui.status.used"), await _used(face)),
    ]
    share = view.context_share
    if share is not None:
        told.append((say("tui.status.context"), say("tui.status.share", percent=round(share * 100))))
    if view.goal is not None:
        told.append((say("tui.status.goal"), f"{view.goal.objective} ({view.goal.status})"))
    face.tell(pairs(say("tui.status.title"), told))


def _versions() -> str:
    return f"daedal {__version__} · python {'.'.join(map(str, sys.version_info[:3]))}"


async def _account(face: Face) -> str:
    """A sentence, without the credential."""
    provider = None if face.view.provider in GUESTS else face.view.provider
    try:
        return (await face.call("account/read", AccountReadParams(provider=provider))).why
    except CallFailed as failure:
        return str(failure)


def _engine(face: Face) -> str:
    name = face.view.provider if face.view.provider in GUESTS else "daedal"
    return f"{name} · {say('tui.status.remote' if face.outside.is_remote else 'tui.status.local')}"


def _sandbox(kind: str) -> str:
    match kind:
        case "workspaceWrite":
            return say("tui.status.walls")
        case "readOnly":
            return say("tui.status.read_only")
        case "dangerFullAccess":
            return say("tui.status.no_walls")
        case _:
            return kind


async def _servers(face: Face) -> list[tuple[str, str]]:
    servers = (await face.call("mcpServerStatus/list", ServerStatusParams())).data
    if not servers:
        return []
    ready = sum(server.runtime_status == "connected" for server in servers)
    return [(say("tui.status.servers"), say("tui.status.ready", ready=ready, count=len(servers)))]


async def _used(face: Face) -> str:
    usage = await face.call("thread/usage/read", UsageReadParams(thread_id=face.view.thread_id))
    total = total_of(usage.data)
    return say(
        "tui.status.usage",
        calls=total.calls,
        read=short(total.input_tokens + total.cache_read_tokens + total.cache_write_tokens),
        written=short(total.output_tokens),
        cost=dollars(total.cost_usd),
    )
