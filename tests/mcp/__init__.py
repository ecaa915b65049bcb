"""Does the `mcp` room do what it says? Against servers of the official SDK and odd ones of our own, both transports."""
