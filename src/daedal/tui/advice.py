"""What does a sentence of the engine advise to type in a shell? Where the chat has its own command, that is named."""

import re

SHELL = re.compile(r"(?<![\w/.-])daedal (?:trust|(mcp) (trust|login))\b(?! -)", re.ASCII)
OF_MCP = {"trust": "accept", "login": "login"}


def for_chat(sentence: str) -> str:
    return SHELL.sub(_own, sentence)


def _own(found: re.Match[str]) -> str:
    return " ".join(("/mcp", OF_MCP[found[2]])) if found[1] else "/trust"
