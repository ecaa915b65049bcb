"""What `daedal app-server` says to people."""

WORDS = {
    "cli.app_server.example": "daedal app-server --listen unix:///tmp/daedal.sock",
    "cli.app_server.about": "serve the engine to editors, pages and drivers, in the words of the Codex app-server",
    "cli.app_server.action": "generate-json-schema writes down every message instead of serving",
    "cli.app_server.listen": "stdio:// (default), unix://PATH or ws://127.0.0.1:PORT (0 takes a free one)",
    "cli.app_server.token_file": "what websocket clients must present as a bearer token (default: ~/.daedal/app-server.token, made when missing)",
    "cli.app_server.allow_origin": "a web page's origin that may connect (repeatable; default: none)",
    "cli.app_server.out": "the folder to write the schema to (default: standard output)",
    "cli.app_server.out_alone": "--out goes with generate-json-schema · daedal app-server generate-json-schema --out DIR",
    "cli.app_server.listening": "listening at {address}",
    "cli.app_server.token_is_in": "clients present the token in {path}",
    "cli.app_server.cannot_write": "the schema cannot be written to {path}: {error}",
    "cli.app_server.client_too_slow": "the client did not read what it was sent, and was let go",
}
