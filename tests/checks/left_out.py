"""Which slash commands of Claude Code are not in our chat, and why? By reason; the page of commands is made from it."""

LEFT_OUT: tuple[tuple[str, tuple[str, ...]], ...] = (
    (
        "They belong to Anthropic's subscriptions, shop and accounts; Daedal works with any provider and has none. "
        "What a session used up is in `/cost`.",
        (
            "extra-usage",
            "fast",
            "passes",
            "privacy-settings",
            "pro-trial-expired",
            "rate-limit-options",
            "stickers",
            "upgrade",
            "usage-credits",
        ),
    ),
    (
        "They reach sessions in Anthropic's cloud, its desktop and phone programs or its browser extension. A session "
        "of ours is reached from elsewhere through `daedal app-server` and `daedal --connect`.",
        (
            "autofix-pr",
            "chrome",
            "daemon",
            "design-login",
            "desktop",
            "mobile",
            "radio",
            "remote-control",
            "remote-env",
            "schedule",
            "session",
            "teleport",
            "ultraplan",
            "ultrareview",
            "web-setup",
        ),
    ),
    ("Nothing is sent to anybody. `/report` writes a bundle that you can hand on yourself.", ("bug", "feedback")),
    (
        "A program that is already installed is updated by whatever installed it, and `/status` names the version.",
        ("install", "release-notes", "update", "version"),
    ),
    ("Keys, addresses and models of other clouds are entered with `daedal setup`.", ("setup-bedrock", "setup-vertex")),
    (
        "They set up services on GitHub and Slack for you; a workflow that runs `daedal exec` needs none of that.",
        ("install-github-app", "install-slack-app"),
    ),
    ("Reading a pull request needs the network and `gh`; the model can be asked to use it.", ("pr-comments",)),
    (
        "A prompt with a fixed text. `/review` takes your own words, and a file in `.daedal/commands` makes a command "
        "of them.",
        ("init-verifiers", "insights", "recap", "security-review", "team-onboarding"),
    ),
    (
        "The folders that a session may write in are a matter of settings (`sandbox.allow_write`) and of `-C`, so that "
        "walls and rules know them from the start.",
        ("add-dir", "cd"),
    ),
    (
        "Commands in the background outlive a chat, so they have a command of their own: `daedal tasks` lists, shows "
        "and stops them.",
        ("background", "bashes", "loops", "stop", "tasks", "workflows"),
    ),
    ("Editors come to us: `daedal acp` is what Zed and others start.", ("ide",)),
    (
        "There is no bundle format for extensions. Commands, skills, agents, hooks and MCP servers are plain files and "
        "settings, and are read anew when they change.",
        ("plugin", "reload-plugins", "reload-skills"),
    ),
    (
        "How the model talks is said in `AGENTS.md`, or with `--system-prompt-file` in `daedal exec`.",
        ("brief", "output-style"),
    ),
    (
        "The chat does it by itself: it needs no key of a certain terminal for a new line, keeps the terminal's own "
        "scrollback, and shows its state in the footer.",
        ("focus", "scroll-speed", "statusline", "terminal-setup", "tui"),
    ),
    ("The keys are few and fixed; `?` and `/keys` list them, `/vim` changes those of the composer.", ("keybindings",)),
    ("When to fold is a setting (`agent.compact_ratio`); `/compact` folds at once.", ("autocompact",)),
    (
        "A second model that plans is a setting (`agent.planner_model`); sub-agents have models of their own.",
        ("advisor",),
    ),
    ("A question beside the task is asked in a copy: `/fork`.", ("btw",)),
    ("What is remembered is in `/memory`, and nothing is remembered without being asked for.", ("pause-memory",)),
    ("The walls are settings, shown by `/status` and tried out with `daedal sandbox`.", ("sandbox", "sandbox-toggle")),
    ("They are decoration, or help in repairing the other program.", ("color", "heapdump", "powerup", "wellbeing")),
    ("There is no speech.", ("voice",)),
)
