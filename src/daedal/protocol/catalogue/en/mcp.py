"""What the `mcp` room says."""

WORDS: dict[str, str] = {
    # Entries in the settings.
    "mcp.left_out": "{where}: the MCP server {name} is left out: {why}",
    "mcp.note": "{where}: MCP server {name}: {why}",
    "mcp.twice": "{name} is already declared at {other} (both become {slug}) · give one of them another name",
    "mcp.too_many": "there are more than {count} servers · remove some",
    "mcp.not_a_table": "it is not a table · write [[plugins]] with name and command, or name and url",
    "mcp.unknown_key": "unknown key {key} is ignored · docs/guides/mcp.md lists the keys",
    "mcp.unknown_key_near": "unknown key {key} is ignored · did you mean {near}?",
    "mcp.no_name": "it has no name of letters or digits · add name",
    "mcp.no_command": "it has no command · add command, or url for a remote server",
    "mcp.unset": "the variable {variable} is not set, or a project may not see it · set it, or write ${{{variable}:-default}}",
    "mcp.bad_type": "type {type} is not known · the types are {known}",
    "mcp.bad_url": "url is not an address · write it like https://example.com/mcp",
    "mcp.bad_key": "{key} must be {wanted}",
    "mcp.wanted.text": "text",
    "mcp.wanted.texts": "a list of texts",
    "mcp.wanted.table": "a table of texts",
    "mcp.wanted.seconds": "a number of seconds (0 leaves it to the default)",
    "mcp.wanted.seconds_by_tool": "a table of tool names and seconds",
    "mcp.not_for_a_project": "trusted_read_only_tools is ignored: a project may not vouch for itself · say it in your own config",
    "mcp.bad_json": "{path}: mcpServers is not an object of servers · correct the file",
    "mcp.server_exists": "{path} has another server named {name} · edit it there, or choose another name",
    # Servers at work.
    "mcp.withheld": "the MCP server {name} offers tools that are new or changed since you accepted them, so they are held back: "
    "{tools} · look at them with daedal mcp test {slug}, accept them with daedal mcp trust {slug}",
    "mcp.failed": "the MCP server {name} cannot be used: {why} · try it with daedal mcp test {slug}",
    "mcp.login_needed": "the MCP server {name} wants a login · run daedal mcp login {slug}",
    "mcp.header_refused": "the MCP server {name} refuses the Authorization header that your settings give it · check its value",
    "mcp.approvals_unreadable": "{path} does not say which tools you accepted ({reason}), so none of an MCP server's is used · "
    "correct it, or move it away to accept them anew",
    "mcp.tokens_unreadable": "{path} does not hold logins ({reason}) · correct it, or move it away and log in again",
    # Logging in.
    "mcp.login.not_remote": "{name} is started on this machine and knows no login",
    "mcp.login.has_header": "{name} sends an Authorization header of its own · remove it to log in instead",
    "mcp.login.not_asked": "{name} did not ask for a login; nothing was saved",
    "mcp.login.timed_out": "nobody answered within {seconds} s · run daedal mcp login {slug} again",
    "mcp.login.refused": "the login failed: {reason}",
    # Lending our own tools.
    "mcp.lending.no_such_tool": "there is no tool {name!r} to lend · there are {known}",
    "mcp.lending.never": "{name} cannot be lent: it steers a dialogue that only happens here · lend others of {known}",
    "mcp.lending.question": "May {tool} do this?\n\n{what}\n\nDaedal asks because {reason} (rule: {rule}).",
    "mcp.lending.more": "\n… and {count} more characters that are not shown",
}
