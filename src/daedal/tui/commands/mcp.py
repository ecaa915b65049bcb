"""How are the MCP servers, what do they offer? Listed; what changed is looked at and accepted; reconnect, log in."""

from daedal.protocol.catalogue import say
from daedal.protocol.events import McpLoginCompleted
from daedal.protocol.housekeeping import ServerAcceptParams, ServerParams
from daedal.protocol.inventory import ListedServer, ServerStatusParams
from daedal.tui.face import Face
from daedal.tui.hearing import heard
from daedal.tui.listing import listing
from daedal.tui.live.menu import Offer
from daedal.tui.near_home import near_home
from daedal.tui.overlays.choosing import Choosing, Option
from daedal.tui.overlays.waiting import Waiting
from daedal.tui.panel import Panel
from daedal.tui.terminal.visible import flat
from daedal.tui.terminal.widths import Row, Span
from daedal.tui.view import Notice

STYLES = {"connected": "good", "starting": "quiet", "failed": "bad", "authenticationRequired": "warn"}
DIFF = {"+": "added", "-": "removed", "@": "hunk"}
DIFF_LINES_MAX = 40
ACTIONS = ("accept", "reconnect", "login")


async def run(face: Face, arguments: str) -> None:
    words = arguments.split()
    servers: list[ListedServer] = (await face.call("mcpServerStatus/list", ServerStatusParams())).data
    if not words:
        _list(face, servers)
        return
    name = words[1] if words[0] in ACTIONS and len(words) > 1 else words[0]
    server = next((server for server in servers if server.name == name), None)
    if server is None:
        known = ", ".join(server.name for server in servers) or "–"
        face.tell(Notice(say("tui.mcp.unknown", name=name, known=known), "warn"))
        return
    match words[0]:
        case "accept":
            await _accept(face, server)
        case "reconnect":
            await _reconnect(face, server)
        case "login":
            await _log_in(face, server)
        case _:
            _show(face, server)


async def complete(face: Face, arguments: str) -> list[Offer]:
    del arguments
    servers: list[ListedServer] = (await face.call("mcpServerStatus/list", ServerStatusParams())).data
    offers = [Offer(server.name, _state(server)) for server in servers]
    offers += [Offer(f"accept {server.name}", ", ".join(server.withheld)) for server in servers if server.withheld]
    offers += [Offer(f"reconnect {server.name}") for server in servers]
    return [*offers, *(Offer(f"login {server.name}") for server in servers if server.transport != "stdio")]


def _state(server: ListedServer) -> str:
    return say(f"tui.mcp.state_{server.runtime_status}") if server.runtime_status else ""


def _list(face: Face, servers: list[ListedServer]) -> None:
    rows: list[list[str | Span]] = [
        [
            server.name,
            (STYLES.get(server.runtime_status or "", ""), _state(server)),
            str(len(server.tools)),
            ("warn" if server.withheld else "", str(len(server.withheld))),
            ("quiet", server.trouble or f"{server.transport} · {near_home(server.origin)}"),
        ]
        for server in servers
    ]
    notes = [say("tui.mcp.held_back", name=server.name) for server in servers if server.withheld]
    notes += [
        say("tui.mcp.log_in", name=server.name)
        for server in servers
        if server.runtime_status == "authenticationRequired"
    ]
    notes += [] if servers else [say("tui.mcp.none")]
    face.tell(listing(say("tui.mcp.title"), say("tui.mcp.headings"), rows, notes=notes))


def _show(face: Face, server: ListedServer) -> None:
    rows = [[tool.name, ("quiet", tool.description or "")] for tool in server.tools.values()]
    notes = [say("tui.mcp.further", prompts=server.prompts, resources=server.resource_count)]
    notes += [say("tui.mcp.withheld", tools=", ".join(server.withheld), name=server.name)] if server.withheld else []
    notes += [server.trouble] if server.trouble else []
    title = say("tui.mcp.server", name=server.name, state=_state(server))
    face.tell(listing(title, say("tui.mcp.tool_headings"), rows, notes=notes))


async def _accept(face: Face, server: ListedServer) -> None:
    changes = await face.call("mcpServer/changes", ServerParams(name=server.name))
    if not changes.data:
        face.tell(Notice(say("tui.mcp.nothing_new", name=server.name)))
        return
    rows: list[Row] = [[("heading", say("tui.mcp.changes", name=server.name))]]
    for change in changes.data:
        rows.append([("warn", say("tui.mcp.new" if change.is_new else "tui.mcp.changed", tool=flat(change.tool)))])
        rows += [[("", "    "), (DIFF.get(line[:1], ""), flat(line, 300))] for line in change.diff[:DIFF_LINES_MAX]]
        if len(change.diff) > DIFF_LINES_MAX:
            rows.append([("quiet", say("tui.mcp.more_lines", count=len(change.diff) - DIFF_LINES_MAX))])
    face.tell(Panel(rows, hanging=6))
    options = [Option(say("tui.mcp.yes"), value=True, letter="y"), Option(say("tui.mcp.no"), letter="n")]
    if await face.show(Choosing(say("tui.mcp.question", name=server.name), options, chosen=1)):
        done = await face.call("mcpServer/accept", ServerAcceptParams(name=server.name, digest=changes.digest))
        face.tell(Notice(say("tui.mcp.accepted", count=done.accepted, name=server.name), "good"))
    else:
        face.tell(Notice(say("tui.mcp.not_accepted")))


async def _reconnect(face: Face, server: ListedServer) -> None:
    face.tell(Notice(say("tui.mcp.reconnecting", name=server.name)))
    done = await face.call("mcpServer/reconnect", ServerParams(name=server.name))
    if done.trouble:
        face.tell(Notice(say("tui.mcp.failed", name=server.name, trouble=done.trouble), "bad"))
    else:
        face.tell(Notice(say("tui.mcp.ready", name=server.name), "good"))


async def _log_in(face: Face, server: ListedServer) -> None:
    completed = heard(face.view, lambda event: isinstance(event, McpLoginCompleted) and event.name == server.name)
    try:
        begun = await face.call("mcpServer/oauth/login", ServerParams(name=server.name))
        if begun.authorization_url:
            address: Row = [("", f"  {say('tui.mcp.open')} "), ("link", flat(begun.authorization_url, 4000))]
            face.tell(Panel([[("heading", say("tui.mcp.login_title", name=server.name))], address]))
        waiting = Waiting(say("tui.mcp.waiting", name=server.name))
        completed.add_done_callback(lambda done: waiting.finish(None if done.cancelled() else done.result()))
        ended: McpLoginCompleted | None = await face.show(waiting)
    finally:
        completed.cancel()
    if ended is None:
        face.tell(Notice(say("tui.mcp.login_left"), "warn"))
    elif ended.success:
        face.tell(Notice(say("tui.mcp.logged_in", name=server.name), "good"))
    else:
        face.tell(Notice(ended.error or "", "bad"))
