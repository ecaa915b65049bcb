"""Which commands are there, and what does one do? All of them by subject, to search through, or one by its name."""

from daedal.protocol.catalogue import say
from daedal.protocol.prompts import CommandInfo, CommandListParams
from daedal.tui.commands.table import COMMANDS, GROUPS, Slash, find, nearest
from daedal.tui.face import Face
from daedal.tui.live.menu import Offer
from daedal.tui.overlays.searching import Found, Searching
from daedal.tui.panel import pairs
from daedal.tui.view import Notice


class Finder(Searching):
    labels_max = 30


async def run(face: Face, arguments: str) -> None:
    name = arguments.strip().removeprefix("/")
    custom = await _custom(face)
    if name and (slash := find(name)) is not None:
        face.tell(pairs("", [(usage(slash), slash.about)]))
        return
    if name and (info := next((info for info in custom if info.name == name), None)) is not None:
        face.tell(pairs("", [(f"/{info.name} {info.argument_hint}".rstrip(), f"{info.description} ({info.path})")]))
        return
    if name and not any(name in one.searched for one in _found(custom)):
        near = nearest(name, [info.name for info in custom])
        key = "tui.unknown_command_near" if near else "tui.unknown_command"
        face.tell(Notice(say(key, name=name, near=near), "warn"))
        return
    chosen = await face.show(Finder(say("tui.help.title"), _found(custom), query=name))
    if chosen is not None:
        face.composer.text = f"/{chosen} "


async def complete(face: Face, arguments: str) -> list[Offer]:
    del arguments
    own = [Offer(slash.name, slash.about) for slash in COMMANDS if not slash.is_hidden]
    return [*own, *(Offer(info.name, info.description) for info in await _custom(face))]


async def _custom(face: Face) -> list[CommandInfo]:
    """The person's and the project's own, and what MCP servers offer."""
    return (await face.call("command/list", CommandListParams(cwd=face.view.folder or None))).data


def _found(custom: list[CommandInfo]) -> list[Found]:
    found = [
        Found(
            label=usage(slash),
            about=slash.about,
            value=slash.name,
            group=say(f"tui.group_{slash.group}"),
        )
        for group in GROUPS
        for slash in COMMANDS
        if slash.group == group and not slash.is_hidden
    ]
    return found + [
        Found(
            label=f"/{info.name} {info.argument_hint}".rstrip(),
            about=info.description,
            value=info.name,
            group=say("tui.help.mcp") if info.source == "mcp" else say("tui.help.custom"),
        )
        for info in sorted(custom, key=lambda info: info.source == "mcp")
    ]


def usage(slash: Slash) -> str:
    names = ", ".join(f"/{name}" for name in (slash.name, *slash.aliases))
    return f"{names} {slash.takes}".rstrip()
