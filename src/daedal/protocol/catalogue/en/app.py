"""What the wiring says to people."""

WORDS = {
    "app.bad_rule": '"{rule}" is no permission rule: {why} · see daedal permissions --help for their forms',
    "app.no_repository": "{folder} is in no git repository, so there can be no worktree of it · run git init, or work here",
    "app.meeting": "waiting up to {seconds} s for MCP servers that no session has met yet: {servers}",
    "app.not_met": "this run begins without what these MCP servers offer, because they do not answer: {servers}"
    " · daedal mcp test NAME tries one, daedal mcp remove NAME takes it away",
    "app.no_worktree": "the worktree {path} cannot be made: {why}",
    "app.led_out": "{folder} leads somewhere else",
    "app.bad_agent_file": "{path} cannot be read: {error} · mend the file, or take it away",
    "app.rules_unreadable": "{path} holds no permission rules: {why} · give a file with a [permissions] table",
    "app.unreached_server": "the server {name} that this thread brought along cannot be used: {why}",
}
