"""What does a plugin look like? A small MCP server: two tools, a prompt and a resource, over standard streams or HTTP.

    python server.py               # how an agent starts it
    python server.py --http 8765   # the same at http://127.0.0.1:8765/mcp

It needs the package `mcp`, which comes with Daedal.
"""

import argparse

from mcp.server.mcpserver import MCPServer

server = MCPServer("example-plugin", version="1.0")


@server.tool()
def echo(text: str) -> str:
    """Gives the text back as it came."""
    return text


@server.tool()
def wordcount(text: str) -> dict[str, int]:
    """Counts lines, words and characters."""
    return {"lines": len(text.splitlines()), "words": len(text.split()), "characters": len(text)}


@server.prompt()
def summarise(topic: str, length: str = "one paragraph") -> str:
    """Asks for a summary."""
    return f"Summarise {topic} in {length}."


@server.resource("notes://style", mime_type="text/markdown")
def style() -> str:
    """How this team writes."""
    return "# Style\n\nShort sentences. Plain words.\n"


def main() -> None:
    parser = argparse.ArgumentParser(description="A small MCP server.")
    parser.add_argument("--http", type=int, metavar="PORT", help="serve Streamable HTTP on this port of 127.0.0.1")
    options = parser.parse_args()
    if options.http is None:
        server.run("stdio")
    else:
        server.run("streamable-http", host="127.0.0.1", port=options.http)


if __name__ == "__main__":
    main()
