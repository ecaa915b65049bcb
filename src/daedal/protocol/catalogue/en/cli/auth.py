"""What `daedal auth` says to people."""

WORDS = {
    "cli.auth.example": "daedal auth status\ndaedal auth login --device",
    "cli.auth.about": "log in at a provider, log out, and see which credential is used and why",
    "cli.auth.action": "login: in the browser, or with --device · logout: forget it and revoke it · status: every source in its order",
    "cli.auth.provider": "the provider (default: that of the model in use)",
    "cli.auth.device": "log in with a code on another device, where there is no browser here",
    "cli.auth.bare": "status: what counts with --bare",
    "cli.auth.open": "Open this address to log in:\n\n  {address}\n",
    "cli.auth.enter": "Open {address} on any device and enter this code:\n\n  {code}\n",
    "cli.auth.logged_in": "logged in for {provider}: {detail}",
    "cli.auth.logged_out": "logged out of {provider}",
    "cli.auth.was_not": "nobody was logged in at {provider}",
    "cli.auth.still": "{why} · that is not a login, so it stays",
    "cli.auth.headings": "order|state|source|detail",
    "cli.auth.in_use": "in use",
    "cli.auth.outranked": "outranked",
    "cli.auth.absent": "-",
}
