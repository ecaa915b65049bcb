"""What `daedal` says to people before there is a chat."""

WORDS = {
    "cli.chat.example": 'daedal "why do the tests fail?"',
    "cli.chat.about": "open the chat",
    "cli.chat.prompt": "what to say first",
    "cli.chat.resume": "go on with session ID (its first characters will do)",
    "cli.chat.fork": "go on with a copy: of --resume's session, or of the newest one of this folder",
    "cli.chat.connect": "talk to a running daedal app-server: unix://PATH or ws://HOST:PORT",
    "cli.chat.token_file": "the token of that server (default: app-server.token in Daedal's home)",
    "cli.chat.no_terminal": 'the chat needs a terminal · for one prompt without: daedal exec "…"',
}
