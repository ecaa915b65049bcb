"""How do other programs lend us tools, and we them ours? Over MCP: standard streams, or HTTP.

Nothing but this file is loaded where no server is configured, and the SDK only when one is started.
"""

from typing import TYPE_CHECKING

from daedal.protocol.rooms import loaded_when_used

if TYPE_CHECKING:
    from daedal.mcp.approvals import Approvals
    from daedal.mcp.definitions import Difference
    from daedal.mcp.elicitation import Asked, Replied
    from daedal.mcp.entries import Entry, ServerConfig, load_servers
    from daedal.mcp.gathering import gathered
    from daedal.mcp.lending.http import Door, serve_http
    from daedal.mcp.lending.loan import Lender, Loan
    from daedal.mcp.lending.stdio import pipe_streams
    from daedal.mcp.lending.tools import chosen
    from daedal.mcp.login import log_in
    from daedal.mcp.names import slug_of, tool_name
    from daedal.mcp.offers import Resource
    from daedal.mcp.servers import McpServers
    from daedal.mcp.status import ServerState, ServerStatus
    from daedal.mcp.tokens import Tokens
    from daedal.mcp.trouble import Trouble

__all__ = [
    "Approvals",
    "Asked",
    "Difference",
    "Door",
    "Entry",
    "Lender",
    "Loan",
    "McpServers",
    "Replied",
    "Resource",
    "ServerConfig",
    "ServerState",
    "ServerStatus",
    "Tokens",
    "Trouble",
    "chosen",
    "gathered",
    "load_servers",
    "log_in",
    "pipe_streams",
    "serve_http",
    "slug_of",
    "tool_name",
]

_FILES = {
    "Approvals": "approvals",
    "Asked": "elicitation",
    "Difference": "definitions",
    "Door": "lending.http",
    "Entry": "entries",
    "Lender": "lending.loan",
    "Loan": "lending.loan",
    "McpServers": "servers",
    "Replied": "elicitation",
    "Resource": "offers",
    "ServerConfig": "entries",
    "ServerState": "status",
    "ServerStatus": "status",
    "Tokens": "tokens",
    "Trouble": "trouble",
    "chosen": "lending.tools",
    "gathered": "gathering",
    "load_servers": "entries",
    "log_in": "login",
    "pipe_streams": "lending.stdio",
    "serve_http": "lending.http",
    "slug_of": "names",
    "tool_name": "names",
}

__getattr__ = loaded_when_used(__name__, _FILES)
