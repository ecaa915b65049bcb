"""What guests of the house say to people."""

WORDS = {
    "guests.unknown": "there is no engine called {engine} · choose native, codex or claude",
    "guests.claude.limits": (
        "claude: our rules decide about every call, but three things it cannot do here: keep a budget in dollars, hold "
        "its commands off the network (so where no rule speaks they are asked about), and use sub-agents, MCP servers "
        "and settings of its own"
    ),
    "guests.claude.missing": "the engine claude needs a package of its own · install it with: pip install 'daedal[claude]'",
    "guests.claude.no_login": "claude has no login and no key · run claude /login, or set ANTHROPIC_API_KEY",
    "guests.claude.no_program": (
        "claude-agent-sdk came without its program on this machine · npm install -g @anthropic-ai/claude-code"
    ),
    "guests.claude.no_walls": "nothing here can confine claude ({why}); only the rules hold it",
    "guests.codex.limits": (
        "codex: our rules decide about every command and file change, but three things it cannot do here: "
        "keep a budget in dollars, run a call that a hook changed, and use its own MCP servers, plugins and web search"
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
    "guests.no_reason": "it gave no reason",
    "guests.refused": "{engine} refused: {why}",
    "guests.silent": "{engine} did not answer {what} within {seconds} s · resume to go on",
    "guests.stopped": "{engine} stopped the turn by itself · resume to go on",
}
