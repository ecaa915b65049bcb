"""What the gate says to people."""

WORDS = {
    "permissions.invalid": "the {behavior} rule {rule!r} is left out: {why}",
    "permissions.empty": "it is empty · write a tool's name, as Bash, or Bash(git status)",
    "permissions.unreadable": "it is too long or contains control characters · write it anew",
    "permissions.parentheses": "its parentheses do not close at the end · write Tool or Tool(specifier)",
    "permissions.no_specifier": "there is nothing between its parentheses · write {tool} for every call of the tool",
    "permissions.tool_name": "{name!r} is no tool's name · names start with a capital letter, as Bash, Edit or WebFetch",
    "permissions.mcp_specifier": "rules for MCP tools take no parentheses · write mcp__server or mcp__server__tool",
    "permissions.mcp_name": "it names no MCP server · write mcp__server, mcp__server__* or mcp__server__tool",
    "permissions.no_prefix": "there is no command before :* · write Bash for every command, or Bash(git status:*)",
    "permissions.prefix_inside": ":* counts only at the end · write Bash(git log:*), or use a plain * within the command",
    "permissions.domain": "the domain is no host name · write WebFetch(domain:example.com), without scheme, port or path",
    "permissions.address": "it names neither a domain nor a URL · write WebFetch(domain:example.com)",
    "permissions.prefix_of_path": ":* is for commands · write Edit(docs/**) for what lies in a folder",
    "permissions.negation": "a rule cannot start with ! · put it into the other list instead",
    "permissions.pattern": "its pattern cannot be read ({reason}) · write a path as in .gitignore",
}
