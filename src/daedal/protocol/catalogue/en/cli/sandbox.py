"""What `daedal sandbox` says to people."""

WORDS = {
    "cli.sandbox.moved_aside": "{path} steers agents, so the sandbox keeps it apart: it is {aside} now",
    "cli.sandbox.example": "daedal sandbox run --allow-domain pypi.org -- pip download requests",
    "cli.sandbox.about": "run a command within the walls that an agent's commands have, or say what confines them",
    "cli.sandbox.run": "run a command in the sandbox; its exit code becomes ours",
    "cli.sandbox.network": "let it reach the whole network",
    "cli.sandbox.allow_domain": "let it reach this domain (repeatable; *.example.org for all below)",
    "cli.sandbox.write": "let it write in this folder too (repeatable)",
    "cli.sandbox.forbid_read": "keep it from reading this file or folder (repeatable)",
    "cli.sandbox.command": "the command and its arguments",
    "cli.sandbox.status": "say what confines commands here, and to what",
    "cli.sandbox.no_command": "there is no command to run · daedal sandbox run -- make test",
    "cli.sandbox.no_folder": "{path} is no folder · give one with -C",
    "cli.sandbox.none": "nothing confines commands here: {reason} · install bubblewrap, or see daedal doctor",
    "cli.sandbox.line": "sandbox: {mechanism} · writes only in {writable} · {network}",
    "cli.sandbox.gaps": "left open: {gaps}",
    "cli.sandbox.network_off": "network off",
    "cli.sandbox.network_on": "network open",
    "cli.sandbox.network_listed": "network only to {domains}",
}
