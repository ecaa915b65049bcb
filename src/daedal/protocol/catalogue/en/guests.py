"""What guests of the house say to people."""

WORDS = {
    "guests.unknown": "there is no engine called {engine} · choose native, codex or claude",
    "guests.claude.limits": (
        "claude: our rules decide about every call, its commands are run by Daedal, and your MCP servers, skills and "
        "agents are lent to it; what it cannot do here: keep a budget in dollars, see images that you give, run commands "
        "in the background, and use settings, servers and sub-agents of its own"
    ),
    "guests.claude.missing": "the engine claude needs a package of its own · install it with: pip install 'daedal[claude]'",
    "guests.claude.no_login": "claude has no login and no key · run claude /login, or set ANTHROPIC_API_KEY",
    "guests.claude.no_program": (
        "claude-agent-sdk came without its program on this machine · npm install -g @anthropic-ai/claude-code"
    ),
    "guests.claude.no_walls": "nothing here can confine claude ({why}); only the rules hold it",
    "guests.codex.limits": (
        "codex: our rules decide about every command and file change, and your MCP servers, skills and agents are lent "
        "to it; what it cannot do here: keep a budget in dollars, see images that you give, run a command or "
        "patch that a hook changed, reach a list of domains, and use servers, plugins and web search of its own"
    ),
    "guests.codex.missing": "codex is not on PATH · install it with: npm install -g @openai/codex",
    "guests.codex.no_login": "codex has no login and no key · run codex login, or set OPENAI_API_KEY",
    "guests.codex.no_walls": (
        "codex did not put up the walls that it was asked for, so nothing was started · update it, or use --no-sandbox"
    ),
    "guests.failed": "{engine} gave up: {why}",
    "guests.forgotten": "{engine} no longer has this conversation ({why}); it is told what was said",
    "guests.ran_unasked": (
        "{engine} did something by itself that the rules refuse ({what}), so the turn was stopped · see daedal sessions"
    ),
    "guests.gone": "{engine} ended in the middle of its work: {why} · resume to go on",
    "guests.later_tools": (
        "{engine} does not know of tools that came after this conversation began ({tools}) · begin a new one to use them"
    ),
    "guests.no_reason": "it gave no reason",
    "guests.refused": "{engine} refused: {why}",
    "guests.silent": "{engine} did not answer {what} within {seconds} s · resume to go on",
    "guests.stopped": "{engine} stopped the turn by itself · resume to go on",
    "guests.unwanted_tool": "{engine} does not take the tool {tool}, so it works without it: {why}",
}
